/** How commands reach a control plane, and what they say and return when something goes wrong. */
@NullMarked
package io.parley.cli.client;

import org.jspecify.annotations.NullMarked;
