package io.parley.xds.server.session;

import io.parley.xds.server.session.Interest.Scope;
import io.parley.xds.server.session.TypeRules.EmptyList;
import io.parley.xds.server.snapshot.Changes;
import io.parley.xds.server.snapshot.EncodedResource;
import io.parley.xds.server.snapshot.ResourceSet;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One type of a delta stream: each request adds to and takes from what the client wants. */
final class DeltaSubscription extends Subscription {
    private boolean started;
    private boolean resumed;

    /** A client of everything waits to hear of an empty state too, unless it said what it has. */
    private boolean awaited;

    /** What the client brought from another stream, until a snapshot is there to compare it with. */
    private Map<String, String> initialVersions = Map.of();

    DeltaSubscription(RequestedType type, SessionContext context) {
        super(type, context);
    }

    /** Names to be kept after this request: those subscribed to, or those that the client brings if they are more. */
    int namesAfter(DeltaRequest request) {
        Set<String> known = interest().names();
        long added = request.subscribe().stream()
                .filter(name -> !known.contains(name))
                .count();
        return Math.max(known.size() + (int) added, request.initialVersions().size());
    }

    void change(DeltaRequest request) {
        boolean first = !started;
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
    boolean brings() {
        return !initialVersions.isEmpty();
    }

    @Override
    String versionOf(EncodedResource resource, String answer) {
        return resource.version();
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
        Changes changes = target.changesSince(sent());
        SharedAnswer shared = sharedAnswer(changes, target);
        if (shared != null) {
            sent(target);
            return shared.with(nonce);
        }
        Set<String> news = new LinkedHashSet<>(seen(freshAnd(interest().within(changes.updated())), target));
        if (awaited && !fits(news, target)) {
            return null; // sent stays as it is, so that each change has it looked at again
        }
        news.addAll(seen(interest().within(changes.removed()), sent()));
        sent(target);
        if (!awaited && news.isEmpty()) {
            owe(List.of());
            return null;
        }
        awaited = false;
        ResponseWriter writer = new ResponseWriter(ResponseWriter.Kind.DELTA, type, context);
        fill(writer, news, target);
        return fresh().isEmpty() ? writer.finish(target.version(), nonce) : writer.finishPiece(target.version(), nonce);
    }

    /** What any stream gets that has all but these changes and wants them all; null if this one is another case. */
    private @Nullable SharedAnswer sharedAnswer(Changes changes, ResourceSet target) {
        if (owed()
                || changes.isEmpty()
                || !context.recipient().name().isEmpty()
                || !interest().coversAll(changes.updated())
                || !interest().coversAll(changes.removed())) {
            return null;
        }
        SharedAnswer last = target.derivedFrom(sent(), SharedAnswer.class);
        if (last != null && last.isFor(type, context)) {
            return last;
        }
        ResponseWriter writer = new ResponseWriter(ResponseWriter.Kind.DELTA, type, context);
        for (Set<String> names : List.of(changes.updated(), changes.removed())) {
            for (String name : names) {
                if (!add(writer, name, target)) {
                    return null;
                }
            }
        }
        SharedAnswer made = new SharedAnswer(type, context, writer.finish(target.version(), ""));
        target.keepDerived(sent(), made);
        return made;
    }

    @Override
    EncodedResponse heartbeat(List<EncodedResource> expiring, String nonce) {
        ResponseWriter writer = new ResponseWriter(ResponseWriter.Kind.DELTA, type, context);
        expiring.forEach(writer::addHeartbeat);
        return writer.finish(sent().version(), nonce);
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

    /** What the client brought and is no longer there is owed to it as news. */
    @Override
    boolean resume(ResourceSet current) {
        if (initialVersions.isEmpty()) {
            return false;
        }
        resumed = true;
        sent(current.matching(initialVersions));
        brought(sent().version());
        owe(fresh().stream().filter(name -> sent().find(name).isEmpty()).toList());
        for (String name : initialVersions.keySet()) {
            if (interest().covers(name) && current.find(name).isEmpty()) {
                oweAlso(name);
            }
        }
        initialVersions = Map.of();
        return true;
    }

    @Override
    boolean resumed() {
        return resumed;
    }
}
