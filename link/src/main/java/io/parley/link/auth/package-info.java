/** Who is at the other end of a link, proven before a single message is read. */
@NullMarked
package io.parley.link.auth;

import org.jspecify.annotations.NullMarked;
