/** Who vouches for the workloads of a mesh: its certificate authorities, and what they sign. */
@NullMarked
package io.parley.control.identity;

import org.jspecify.annotations.NullMarked;
