/** {@code parley demo}: a whole mesh in one process, with applications, somebody who visits them, and what is agreed on the way. */
@NullMarked
package io.parley.cli.demo;

import org.jspecify.annotations.NullMarked;
