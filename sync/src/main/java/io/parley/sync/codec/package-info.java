/** Resources to what travels, and back: names, labels and specs as the peer understands them. */
@NullMarked
package io.parley.sync.codec;

import org.jspecify.annotations.NullMarked;
