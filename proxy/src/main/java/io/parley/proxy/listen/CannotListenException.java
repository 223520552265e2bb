package io.parley.proxy.listen;

import io.parley.proxy.AddressText;
import java.net.InetSocketAddress;

/** A port that has to be there cannot be had: somebody else has it, or the machine has no such address. */
public final class CannotListenException extends RuntimeException {
    public CannotListenException(InetSocketAddress address, String why) {
        super("cannot listen on " + AddressText.of(address) + ": " + why);
    }
}
