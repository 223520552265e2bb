/** What every store must do, written once, and the fixtures for it. */
@NullMarked
package io.parley.store;

import org.jspecify.annotations.NullMarked;
