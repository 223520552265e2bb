/** The program {@code parley}: its entry point, and where its settings come from. */
@NullMarked
package io.parley.cli;

import org.jspecify.annotations.NullMarked;
