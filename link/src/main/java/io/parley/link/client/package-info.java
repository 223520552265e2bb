/** The data plane's end of a link: it connects, negotiates, and does both again whenever the connection is lost. */
@NullMarked
package io.parley.link.client;

import org.jspecify.annotations.NullMarked;
