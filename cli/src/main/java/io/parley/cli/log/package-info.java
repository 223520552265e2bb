/** What is logged, and how a line looks. */
@NullMarked
package io.parley.cli.log;

import org.jspecify.annotations.NullMarked;
