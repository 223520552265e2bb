/** The connection header: the preamble in which one proxy tells the next where a connection goes and what it carries. */
@NullMarked
package io.parley.wire.header;

import org.jspecify.annotations.NullMarked;
