/** One class for each command. */
@NullMarked
package io.parley.cli.command;

import org.jspecify.annotations.NullMarked;
