/** The kernel's rules that bring an application's connections to the proxy beside it. */
@NullMarked
package io.parley.proxy.intercept;

import org.jspecify.annotations.NullMarked;
