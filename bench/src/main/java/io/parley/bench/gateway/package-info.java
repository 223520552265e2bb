/** What a change of one Service costs a gateway with many routes. */
@NullMarked
package io.parley.bench.gateway;

import org.jspecify.annotations.NullMarked;
