package io.parley.link.auth;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Says who a node is, before the upgrade. Called on an event loop: whoever has to look something up answers later. */
@FunctionalInterface
public interface LinkAuthenticator {
    CompletableFuture<Authentication> authenticate(LinkCredentials credentials);

    /** The first that grants, or else forbids; if none does, all their reasons. */
    static LinkAuthenticator anyOf(LinkAuthenticator... authenticators) {
        List<LinkAuthenticator> all = List.of(authenticators);
        return credentials -> ask(all, 0, credentials, new ArrayList<>());
    }

    private static CompletableFuture<Authentication> ask(
            List<LinkAuthenticator> all, int index, LinkCredentials credentials, List<String> reasons) {
        if (index == all.size()) {
            return CompletableFuture.completedFuture(new Authentication.Unauthenticated(String.join("; ", reasons)));
        }
        return all.get(index).authenticate(credentials).thenCompose(verdict -> switch (verdict) {
            case Authentication.Granted granted -> CompletableFuture.completedFuture(granted);
            case Authentication.Forbidden forbidden -> CompletableFuture.completedFuture(forbidden);
            case Authentication.Unauthenticated(String reason) -> {
                reasons.add(reason);
                yield ask(all, index + 1, credentials, reasons);
            }
        });
    }
}
