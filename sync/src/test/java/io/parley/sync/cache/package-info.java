/** What is sent follows what is stored, whatever happens. */
@NullMarked
package io.parley.sync.cache;

import org.jspecify.annotations.NullMarked;
