/** The control plane put together: configuration in, a running program out. */
@NullMarked
package io.parley.control.app;

import org.jspecify.annotations.NullMarked;
