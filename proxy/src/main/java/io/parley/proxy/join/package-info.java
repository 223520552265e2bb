/** How a proxy joins a mesh: it gets its configuration and its certificate from a control plane, and reports back. */
@NullMarked
package io.parley.proxy.join;

import org.jspecify.annotations.NullMarked;
