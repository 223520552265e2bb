package io.parley.proxy.join;

import io.parley.link.Link;
import io.parley.link.ServiceHandler;
import io.parley.link.client.ClientService;
import io.parley.link.client.ClientService.Need;
import io.parley.link.identity.IdentityClient;
import io.parley.proxy.Surroundings;
import org.jspecify.annotations.Nullable;

/**
 * {@code identity} v1 for a node that the control plane may not know yet, as its Dataplane may be applied later than it starts: on each
 * connection the certificate is asked for as soon as there is a configuration. Asked sooner it would be refused, and then wait.
 */
final class WaitingIdentity {
    private final ClientService asking;
    private boolean known;
    private @Nullable Link waiting;
    private @Nullable ServiceHandler running;

    WaitingIdentity(LinkCertificates certificates, Surroundings surroundings) {
        this.asking = IdentityClient.service(
                certificates,
                Need.OPTIONAL,
                surroundings.clock(),
                surroundings.chance().get());
    }

    ClientService service() {
        return new ClientService(asking.name(), asking.version(), asking.serviceId(), asking.need(), link -> {
            opened(link);
            return new ServiceHandler(this::closed);
        });
    }

    /** May be called from any thread, and more than once. */
    synchronized void known() {
        known = true;
        Link link = waiting;
        if (link != null) {
            waiting = null;
            link.loop().execute(() -> ask(link));
        }
    }

    private synchronized void opened(Link link) {
        if (known) {
            ask(link);
        } else {
            waiting = link;
        }
    }

    private synchronized void ask(Link link) {
        if (!link.closed().isDone()) {
            running = asking.opener().apply(link);
        }
    }

    private synchronized void closed() {
        waiting = null;
        if (running != null) {
            running.close();
            running = null;
        }
    }
}
