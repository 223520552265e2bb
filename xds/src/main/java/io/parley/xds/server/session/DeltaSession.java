package io.parley.xds.server.session;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A delta stream. It does not know which end opened the connection: zone sync runs it from either. */
public final class DeltaSession extends DiscoverySession {
    /**
     * @param onlyType URL, in the version of the stream, of the one type that it is about; null on an aggregated stream
     */
    public DeltaSession(@Nullable String onlyType, SessionContext context) {
        super(ResponseWriter.Kind.DELTA, onlyType, context);
    }

    /** Takes a request in; what it asks for comes out of {@link #next}. */
    public Optional<Refusal> accept(DeltaRequest request, long now) {
        DeltaSubscription known = (DeltaSubscription) find(request.typeUrl());
        if (known != null) {
            return accept(known.type, known, request, now);
        }
        return switch (typed(request.typeUrl())) {
            case Typed.Refused(Refusal refusal) -> Optional.of(refusal);
            case Typed.Of(RequestedType type) -> accept(type, (DeltaSubscription) find(type.asked()), request, now);
        };
    }

    private Optional<Refusal> accept(
            RequestedType type, @Nullable DeltaSubscription known, DeltaRequest request, long now) {
        DeltaSubscription subscription = known;
        boolean first = subscription == null;
        if (subscription == null) {
            subscription = new DeltaSubscription(type, context);
        } else if (!request.nonce().isEmpty() && request.nonce().equals(subscription.lastNonce())) {
            subscription.settle("", request.error(), now);
        } else if (issued(request.nonce())) {
            context.events().staleNonce(type.asked());
            subscription.settleLate(request.nonce(), request.error(), now); // its subscriptions count all the same
        }
        if (!first && request.subscribe().isEmpty() && request.unsubscribe().isEmpty()) {
            return Optional.empty(); // only an acknowledgement, as most are
        }
        Optional<Refusal> refusal = bounded(subscription, request.subscribe(), subscription.namesAfter(request));
        if (refusal.isPresent()) {
            return refusal;
        }
        subscription.change(request);
        return first ? add(subscription) : Optional.empty();
    }
}
