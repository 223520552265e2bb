/** What is to be sent: each resource mapped and hashed once, however many zones get it. */
@NullMarked
package io.parley.sync.cache;

import org.jspecify.annotations.NullMarked;
