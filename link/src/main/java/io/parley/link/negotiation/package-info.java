/** The negotiation as it travels: messages to values and back, and what a node checks before it believes an answer. */
@NullMarked
package io.parley.link.negotiation;

import org.jspecify.annotations.NullMarked;
