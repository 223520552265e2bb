/** Follows a store: all that there is, then every change, in the order in which they were stored; and keeps a model up to date by it. */
@NullMarked
package io.parley.control.feed;

import org.jspecify.annotations.NullMarked;
