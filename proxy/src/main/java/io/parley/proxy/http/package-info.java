/** What a proxy is told to do with HTTP requests, as immutable values: routes, their policies, limits. */
@NullMarked
package io.parley.proxy.http;

import org.jspecify.annotations.NullMarked;
