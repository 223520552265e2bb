/** The control plane: what a mesh is to be, told to everybody who takes part in it. */
@NullMarked
package io.parley.control;

import org.jspecify.annotations.NullMarked;
