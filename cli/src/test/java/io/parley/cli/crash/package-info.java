/** Kills control planes at random moments, and checks that nothing that was acknowledged is lost. */
@NullMarked
package io.parley.cli.crash;

import org.jspecify.annotations.NullMarked;
