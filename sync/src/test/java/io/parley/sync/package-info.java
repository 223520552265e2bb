/** The cases of facts about zone synchronisation, over real sockets. */
@NullMarked
package io.parley.sync;

import org.jspecify.annotations.NullMarked;
