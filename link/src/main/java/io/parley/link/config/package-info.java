/** Configuration on a link: version 1 sends the state of the world, version 2 what changed, and both wait until it is applied. */
@NullMarked
package io.parley.link.config;

import org.jspecify.annotations.NullMarked;
