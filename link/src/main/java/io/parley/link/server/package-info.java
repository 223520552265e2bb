/** The control plane's end of a link: WebSocket on Armeria, and the gate that lets nothing pass that was not negotiated. */
@NullMarked
package io.parley.link.server;

import org.jspecify.annotations.NullMarked;
