/** What a connection carries, decided from its first bytes alone. */
@NullMarked
package io.parley.wire.detect;

import org.jspecify.annotations.NullMarked;
