/** What a Gateway's listeners take: whether each can listen, and which routes it lets in under which host names. */
@NullMarked
package io.parley.control.gateway.attach;

import org.jspecify.annotations.NullMarked;
