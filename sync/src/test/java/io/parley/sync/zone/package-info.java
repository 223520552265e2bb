/** The zone's end, part by part. */
@NullMarked
package io.parley.sync.zone;

import org.jspecify.annotations.NullMarked;
