/** A node's certificate: asked for over the link, and renewed long before it ends. */
@NullMarked
package io.parley.link.identity;

import org.jspecify.annotations.NullMarked;
