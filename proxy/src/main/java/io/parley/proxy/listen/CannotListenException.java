package io.parley.proxy.listen;

import io.parley.proxy.AddressText;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Ports that have to be there cannot be had: somebody else has them, or the machine has no such addresses. */
public final class CannotListenException extends RuntimeException {
    private final transient List<Unbound> missing;

    public CannotListenException(InetSocketAddress address, String why) {
        super("cannot listen on " + AddressText.of(address) + ": " + why);
        this.missing = List.of();
    }

    CannotListenException(List<Unbound> missing) {
        this(missing, listener -> "listener " + listener);
    }

    private CannotListenException(List<Unbound> missing, UnaryOperator<String> places) {
        super(missing.stream()
                .map(one -> one.text(places.apply(one.listener())))
                .collect(Collectors.joining("; ")));
        this.missing = List.copyOf(missing);
    }

    /** The same where {@code places} says of a listener's name what asks for it, as people wrote that. */
    public CannotListenException askedForBy(UnaryOperator<String> places) {
        CannotListenException same = new CannotListenException(missing, places);
        same.initCause(this);
        return same;
    }
}
