/** Every kind of resource there is: its names, where it lives, how it is written, in which direction it is synchronised. */
@NullMarked
package io.parley.resource.kind;

import org.jspecify.annotations.NullMarked;
