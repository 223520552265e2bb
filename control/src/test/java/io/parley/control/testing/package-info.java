/** Meshes written down as manifests, for tests. */
@NullMarked
package io.parley.control.testing;

import org.jspecify.annotations.NullMarked;
