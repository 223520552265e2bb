/** HTTP/1: strict reading of heads and bodies, and connections on which bytes pass untouched wherever nobody must change them. */
@NullMarked
package io.parley.proxy.http1;

import org.jspecify.annotations.NullMarked;
