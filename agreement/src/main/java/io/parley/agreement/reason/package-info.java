/** A decision is a value that carries its reason, so that every hop of the mesh can be explained. */
@NullMarked
package io.parley.agreement.reason;

import org.jspecify.annotations.NullMarked;
