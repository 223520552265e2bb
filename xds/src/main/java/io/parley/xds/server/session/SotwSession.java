package io.parley.xds.server.session;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A state-of-the-world stream. */
public final class SotwSession extends DiscoverySession {
    /**
     * @param onlyType URL, in the version of the stream, of the one type that it is about; null on an aggregated stream
     */
    public SotwSession(@Nullable String onlyType, SessionContext context) {
        super(ResponseWriter.Kind.SOTW, onlyType, context);
    }

    /** Takes a request in; what it asks for comes out of {@link #next}. */
    public Optional<Refusal> accept(SotwRequest request, long now) {
        return switch (typed(request.typeUrl())) {
            case Typed.Refused(Refusal refusal) -> Optional.of(refusal);
            case Typed.Of(RequestedType type) -> accept(type, request, now);
        };
    }

    private Optional<Refusal> accept(RequestedType type, SotwRequest request, long now) {
        SotwSubscription subscription = (SotwSubscription) find(type.asked());
        boolean first = subscription == null;
        if (subscription == null) {
            subscription = new SotwSubscription(type, context);
            subscription.claims(request.version());
        } else if (!request.nonce().isEmpty() && request.nonce().equals(subscription.lastNonce())) {
            subscription.settle(request.version(), request.error(), now);
        } else if (issued(request.nonce())) {
            // The client has not seen our last answer yet; its reply to that one will name all that it wants by then.
            context.events().staleNonce(type.asked());
            return Optional.empty();
        }
        Optional<Refusal> refusal = ask(subscription, request.names());
        return refusal.isEmpty() && first ? add(subscription) : refusal;
    }

    private Optional<Refusal> ask(SotwSubscription subscription, NameList names) {
        NameList.Fingerprint fingerprint = names.fingerprint();
        if (subscription.sameNames(fingerprint)) {
            return Optional.empty();
        }
        List<String> list;
        try {
            list = names.decode();
        } catch (IOException e) {
            return Optional.of(new Refusal(Refusal.Code.INVALID_ARGUMENT, "resource_names: " + e.getMessage()));
        }
        Optional<Refusal> refusal = bounded(subscription, list, list.size());
        if (refusal.isEmpty()) {
            subscription.ask(list, fingerprint);
        }
        return refusal;
    }
}
