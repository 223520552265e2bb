/** Names that strangers send, checked before anything is done with them. */
@NullMarked
package io.parley.wire.name;

import org.jspecify.annotations.NullMarked;
