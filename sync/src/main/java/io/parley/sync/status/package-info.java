/** What is known of zones: connected or not, what was sent, accepted and rejected. */
@NullMarked
package io.parley.sync.status;

import org.jspecify.annotations.NullMarked;
