/** The proxy put together: what listens, what is shared, how it starts, changes and stops. */
@NullMarked
package io.parley.proxy.app;

import org.jspecify.annotations.NullMarked;
