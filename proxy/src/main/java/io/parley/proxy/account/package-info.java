/** Who is told of requests because configuration says so: logs and traces. */
@NullMarked
package io.parley.proxy.account;

import org.jspecify.annotations.NullMarked;
