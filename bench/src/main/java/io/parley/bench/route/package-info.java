/** What it costs to find the route of a request. */
@NullMarked
package io.parley.bench.route;

import org.jspecify.annotations.NullMarked;
