/** The data plane: a proxy that knows what it carries, or finds out, and can say why. */
@NullMarked
package io.parley.proxy;

import org.jspecify.annotations.NullMarked;
