/** What all stores share: the rules of a commit, decided in memory, and the waking of watchers. */
@NullMarked
package io.parley.store.engine;

import org.jspecify.annotations.NullMarked;
