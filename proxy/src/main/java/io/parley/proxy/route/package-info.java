/** Which route a request takes and what that changes about it, as pure functions of the request and the table. */
@NullMarked
package io.parley.proxy.route;

import org.jspecify.annotations.NullMarked;
