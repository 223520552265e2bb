/** What a TLS client says before anything is encrypted: the ClientHello, read without taking part in the handshake. */
@NullMarked
package io.parley.wire.tls;

import org.jspecify.annotations.NullMarked;
