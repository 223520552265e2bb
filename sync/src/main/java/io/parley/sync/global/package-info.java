/** The global end: services that zones call. */
@NullMarked
package io.parley.sync.global;

import org.jspecify.annotations.NullMarked;
