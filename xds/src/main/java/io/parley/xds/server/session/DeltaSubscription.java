package io.parley.xds.server.session;

import io.parley.xds.server.session.Interest.Scope;
import io.parley.xds.server.session.TypeRules.EmptyList;
import io.parley.xds.server.snapshot.Changes;
import io.parley.xds.server.snapshot.EncodedResource;
import io.parley.xds.server.snapshot.ResourceSet;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One type of a delta stream: each request adds to and takes from what the client wants. */
final class DeltaSubscription extends Subscription {
    private boolean started;

    /** A client of everything waits to hear of an empty state too, unless it said what it has. */
    private boolean awaited;

    /** What the client brought from another stream, until a snapshot is there to compare it with. */
    private Map<String, String> initialVersions = Map.of();

    DeltaSubscription(RequestedType type, SessionContext context) {
        super(type, context);
    }

    /** Names subscribed to after this request. */
    int namesAfter(DeltaRequest request) {
        return interest().names().size() + request.subscribe().size();
    }

    void change(DeltaRequest request) {
        boolean first = !started;
        if (!first && request.subscribe().isEmpty() && request.unsubscribe().isEmpty()) {
            return; // only an acknowledgement, as most are
        }
        started = true;
        Interest before = interest();
        Set<String> names = new HashSet<>(before.names());
        boolean all = before.all() || (first && impliedWildcard(request));
        names.addAll(request.subscribe());
        all |= names.remove(Interest.WILDCARD);
        for (String name : request.unsubscribe()) {
            names.remove(name);
            all &= !name.equals(Interest.WILDCARD);
        }
        boolean same = all == before.all() && names.equals(before.names());
        if (!same) {
            interest(new Interest(all ? Scope.ALL : Scope.NAMED, context.names().share(names)));
        }
        oweAnswers(request);
        if (all && !before.all()) {
            awaited = request.initialVersions().isEmpty();
            sent(ResourceSet.EMPTY);
        }
        if (first) {
            initialVersions = request.initialVersions();
        }
    }

    /** A name asked for again is sent again; one given up but still covered by the wildcard is answered, as the protocol demands. */
    private void oweAnswers(DeltaRequest request) {
        for (List<String> names : List.of(request.subscribe(), request.unsubscribe())) {
            for (String name : names) {
                if (!name.equals(Interest.WILDCARD) && interest().covers(name)) {
                    oweAlso(name);
                }
            }
        }
    }

    private boolean impliedWildcard(DeltaRequest request) {
        return type.rules().emptyList() == EmptyList.WILDCARD
                && (context.traits().names() == ClientTraits.Names.ECHO
                        || (request.subscribe().isEmpty()
                                && context.traits().emptyList() == ClientTraits.EmptyList.MAY_BE_WILDCARD));
    }

    @Override
    boolean owed() {
        return awaited || !fresh().isEmpty();
    }

    @Override
    boolean heartbeats() {
        return context.traits().expiry() == ClientTraits.Expiry.UNDERSTOOD;
    }

    @Override
    @Nullable
    EncodedResponse answer(ResourceSet target, String nonce) {
        if (!initialVersions.isEmpty()) {
            resume(target);
        }
        Changes changes = target.changesSince(sent());
        Collection<String> updated = seen(freshAnd(interest().within(changes.updated())), target);
        Collection<String> removed = seen(interest().within(changes.removed()), sent());
        if (awaited && !fits(updated, target)) {
            return null; // sent stays as it is, so that each change has it looked at again
        }
        sent(target);
        if (!awaited && updated.isEmpty() && removed.isEmpty()) {
            owe(List.of());
            return null;
        }
        awaited = false;
        ResponseWriter writer = new ResponseWriter(ResponseWriter.Kind.DELTA, type, context);
        Set<String> gone = new HashSet<>(removed);
        gone.addAll(fill(writer, updated, target));
        writer.removed(gone);
        return fresh().isEmpty() ? writer.finish(target.version(), nonce) : writer.finishPiece(target.version(), nonce);
    }

    /** Whether the first state can be sent to its reader; if it must be whole and is too large, that is made known. */
    private boolean fits(Collection<String> names, ResourceSet target) {
        if (context.recipient().firstState() == Recipient.FirstState.IN_PIECES) {
            return true;
        }
        int size = names.stream()
                .flatMap(name -> target.find(name).stream())
                .mapToInt(EncodedResource::sizeInResponse)
                .sum();
        if (size > context.limits().responseBytes()) {
            context.events().unsendable(type.asked(), size, names.size());
            return false;
        }
        return true;
    }

    /** Takes what the client still has as sent, and owes it the news of what has gone since. */
    private void resume(ResourceSet target) {
        sent(target.matching(initialVersions));
        owe(fresh().stream().filter(name -> sent().find(name).isEmpty()).toList());
        for (String name : initialVersions.keySet()) {
            if (interest().covers(name) && target.find(name).isEmpty()) {
                oweAlso(name);
            }
        }
        initialVersions = Map.of();
    }
}
