/** Heads of HTTP as values, in HTTP/2's form, whichever version they came in. */
@NullMarked
package io.parley.wire.http;

import org.jspecify.annotations.NullMarked;
