/** How fast the REST API answers with ten thousand resources in the store. */
@NullMarked
package io.parley.bench.api;

import org.jspecify.annotations.NullMarked;
