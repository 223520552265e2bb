/** One end of a wRPC connection, whatever carries it: calls in both directions, each answered, refused, timed out or cancelled. */
@NullMarked
package io.parley.link.peer;

import org.jspecify.annotations.NullMarked;
