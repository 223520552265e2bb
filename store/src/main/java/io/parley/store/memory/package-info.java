/** A store that forgets everything when the process ends: for tests, demonstrations and zones that can fetch it all again. */
@NullMarked
package io.parley.store.memory;

import org.jspecify.annotations.NullMarked;
