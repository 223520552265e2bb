/** What both ends of a link share: the services and their numbers, calls, limits, and the ways in which they fail. */
@NullMarked
package io.parley.link;

import org.jspecify.annotations.NullMarked;
