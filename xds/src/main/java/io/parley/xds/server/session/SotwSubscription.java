package io.parley.xds.server.session;

import io.parley.xds.server.session.Interest.Scope;
import io.parley.xds.server.session.TypeRules.Completeness;
import io.parley.xds.server.session.TypeRules.EmptyList;
import io.parley.xds.server.snapshot.Changes;
import io.parley.xds.server.snapshot.EncodedResource;
import io.parley.xds.server.snapshot.ResourceSet;
import io.parley.xds.type.FederatedName;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One type of a state-of-the-world stream: each request names all that the client wants. */
final class SotwSubscription extends Subscription {
    private NameList.Fingerprint fingerprint = NameList.Fingerprint.NONE;
    private boolean everNamed;

    /** An answer is due even if it carries nothing: the client waits to hear that there is nothing. */
    private boolean awaited;

    /** The version that a reconnected client says it has; empty once it has been looked at. */
    private String claimed = "";

    SotwSubscription(RequestedType type, SessionContext context) {
        super(type, context);
    }

    boolean sameNames(NameList.Fingerprint other) {
        return fingerprint.equals(other);
    }

    /** The first request of the type on this stream may tell what the client still has from another stream. */
    void claims(String version) {
        claimed = version;
    }

    void ask(List<String> list, NameList.Fingerprint print) {
        fingerprint = print;
        Interest before = interest();
        Set<String> names = new HashSet<>();
        list.forEach(name -> names.add(FederatedName.canonical(name)));
        boolean starred = names.remove(Interest.WILDCARD);
        boolean all = starred || impliedWildcard(list);
        everNamed |= !list.isEmpty();
        Interest next =
                new Interest(all ? Scope.ALL : Scope.NAMED, context.names().share(names));
        interest(next);
        for (String name : next.names()) {
            if (!before.names().contains(name)) {
                oweAlso(name);
            }
        }
        if (all && !before.all()) {
            awaited = true;
            sent(ResourceSet.EMPTY);
        }
    }

    private boolean impliedWildcard(List<String> list) {
        if (type.rules().emptyList() != EmptyList.WILDCARD) {
            return false;
        }
        ClientTraits traits = context.traits();
        if (traits.names() == ClientTraits.Names.ECHO) {
            return true;
        }
        return list.isEmpty() && !everNamed && traits.emptyList() == ClientTraits.EmptyList.MAY_BE_WILDCARD;
    }

    @Override
    boolean brings() {
        return !claimed.isEmpty();
    }

    @Override
    boolean answersWithAll() {
        return type.rules().completeness() == Completeness.EVERYTHING;
    }

    @Override
    String versionOf(EncodedResource resource, String answer) {
        return answer;
    }

    @Override
    boolean owed() {
        return awaited || !fresh().isEmpty();
    }

    @Override
    boolean heartbeats() {
        return context.traits().expiry() == ClientTraits.Expiry.UNDERSTOOD
                && context.traits().wrapping() == ClientTraits.Wrapping.UNDERSTOOD;
    }

    @Override
    @Nullable
    EncodedResponse answer(ResourceSet target, String nonce) {
        boolean known = alreadyHas(target);
        claimed = "";
        ResourceSet before = sent();
        Changes changes = known ? Changes.NONE : target.changesSince(before);
        sent(target);
        boolean everything = answersWithAll();
        Collection<String> updated = seen(interest().within(changes.updated()), target);
        boolean shrunk = everything
                && !seen(interest().within(changes.removed()), before).isEmpty();
        if (known) {
            brought(target.version());
        }
        if (known || (!owed() && updated.isEmpty() && !shrunk)) {
            awaited = false;
            owe(List.of());
            return null;
        }
        awaited = false;
        ResponseWriter writer = new ResponseWriter(ResponseWriter.Kind.SOTW, type, context);
        if (everything) {
            writeEverything(writer, target);
        } else {
            fill(writer, freshAnd(updated), target);
        }
        EncodedResponse response = writer.finish(target.version(), nonce);
        if (response.size() > context.limits().responseBytes()) {
            context.events().oversized(type.asked(), response.size());
        }
        return response;
    }

    private void writeEverything(ResponseWriter writer, ResourceSet target) {
        for (String name : seen(interest().within(target), target)) {
            target.find(name).ifPresent(writer::add);
        }
        for (String name : fresh()) {
            if (target.find(name).isEmpty() && writer.fits(name, null)) {
                writer.addMissing(name);
            }
        }
        owe(List.of());
    }

    /**
     * Where absence means deletion, only the whole state says that something lives on. Elsewhere it is enough to say so without a body,
     * under the version that the client is at: Envoy takes it for a heartbeat by that.
     */
    @Override
    EncodedResponse heartbeat(List<EncodedResource> expiring, String nonce) {
        ResponseWriter writer = new ResponseWriter(ResponseWriter.Kind.SOTW, type, context);
        if (answersWithAll()) {
            writeEverything(writer, sent());
            return writer.finish(sent().version(), nonce);
        }
        expiring.forEach(writer::addHeartbeat);
        return writer.finish(accepted(), nonce);
    }

    /**
     * A client of everything that names the current version needs nothing. For named resources the version proves nothing: the client
     * may have dropped and asked for a name again while it was disconnected, and would wait for it in vain.
     */
    private boolean alreadyHas(ResourceSet target) {
        return interest().all()
                && interest().names().isEmpty()
                && target.version().equals(claimed);
    }
}
