/** Data planes as the control plane knows them: by what they proved, and by the resource of their name. */
@NullMarked
package io.parley.control.node;

import org.jspecify.annotations.NullMarked;
