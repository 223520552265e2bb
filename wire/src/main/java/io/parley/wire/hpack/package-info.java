/** HPACK (RFC 7541): the fields of HTTP/2 as bytes, against tables that both ends keep alike. */
@NullMarked
package io.parley.wire.hpack;

import org.jspecify.annotations.NullMarked;
