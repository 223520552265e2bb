package io.parley.proxy.exchange;

import io.netty.util.AsciiString;
import io.parley.identity.certificate.SpiffeId;
import io.parley.proxy.balance.LiveEndpoint;
import io.parley.proxy.http.HttpConfig.Forwarding;
import io.parley.proxy.http.PathRewrite;
import io.parley.proxy.http.Route;
import io.parley.proxy.http.RouteAction;
import io.parley.proxy.http.WeightedCluster;
import io.parley.proxy.route.Provenance;
import io.parley.proxy.route.RequestView;
import io.parley.proxy.route.Rewriting;
import io.parley.wire.http.Fields;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a route changes about one request and its answer.
 *
 * @param share the cluster that the request goes to; null if it goes nowhere
 * @param affine what keeps it together with others; null if nothing does
 * @param cors what a browser is told
 */
record Shaping(
        Route route,
        @Nullable WeightedCluster share,
        @Nullable Affine affine,
        Map<String, String> cors) {
    private static final AsciiString CLIENT_CERTIFICATE = AsciiString.cached("x-forwarded-client-cert");
    private static final AsciiString CLIENT_ID = AsciiString.cached("l5d-client-id");
    private static final AsciiString FORWARDED_FOR = AsciiString.cached(Provenance.ADDRESSES);
    private static final AsciiString FORWARDED_PROTO = AsciiString.cached(Provenance.SCHEME);
    private static final AsciiString LOCATION = AsciiString.cached("location");
    private static final AsciiString VARY = AsciiString.cached("vary");

    /** Changes the head on its way to the server. */
    void request(Fields head, RequestView view, RouteAction.Forward forward) {
        PathRewrite rewrite = forward.rewrite().path();
        if (!(rewrite instanceof PathRewrite.None)) {
            String target = Rewriting.target(view.target(), route.match().path(), rewrite);
            head.set(Fields.PATH, new AsciiString(target));
        }
        if (forward.rewrite().host() != null) {
            head.set(Fields.AUTHORITY, new AsciiString(forward.rewrite().host()));
        }
        FieldEditing.apply(route.request(), head);
        if (share != null) {
            FieldEditing.apply(share.request(), head);
        }
    }

    /** Whether the head must say where the request comes from, so that it cannot pass as it is. */
    static boolean writesOrigin(Forwarding forwarding, Connection connection) {
        return switch (forwarding) {
            case EDGE -> true;
            case FROM_NAMED_MEMBERS -> connection.peer() != null;
            case FROM_MEMBERS, KEPT -> false;
        };
    }

    /** What a client says about where it comes from, or who it is, is replaced by what is known. */
    static void origin(Fields head, Forwarding forwarding, Connection connection, RequestView view) {
        switch (forwarding) {
            case EDGE -> {
                head.set(FORWARDED_FOR, new AsciiString(view.provenance().addresses()));
                head.set(FORWARDED_PROTO, new AsciiString(view.scheme()));
            }
            case FROM_NAMED_MEMBERS -> caller(head, connection);
            case FROM_MEMBERS, KEPT -> {}
        }
    }

    /** Who asks, as Envoy tells it ({@code set_current_client_cert_details} with {@code uri}) and as Linkerd does. A name has nothing in it that would have to be quoted. */
    private static void caller(Fields head, Connection connection) {
        SpiffeId client = connection.peer();
        SpiffeId self = connection.self();
        if (client != null) {
            head.set(CLIENT_CERTIFICATE, new AsciiString((self == null ? "" : "By=" + self + ";") + "URI=" + client));
            head.set(CLIENT_ID, new AsciiString(client.toString()));
        }
    }

    boolean changesAnswers() {
        return affine != null || !cors.isEmpty();
    }

    /** Changes the head of the answer, of the endpoint that gave it if one did. */
    void answer(Fields head, @Nullable LiveEndpoint served) {
        FieldEditing.apply(route.response(), head);
        if (share != null) {
            FieldEditing.apply(share.response(), head);
        }
        set(cors, head);
        if (affine != null) {
            affine.mark(head, served);
        }
    }

    /** The head of a redirection. */
    Fields redirection(RequestView view, RouteAction.Redirect redirect, int listener) {
        Fields head = new Fields();
        String location = Rewriting.location(view, redirect, route.match().path(), listener);
        head.set(LOCATION, new AsciiString(location));
        return head;
    }

    static void set(Map<String, String> fields, Fields head) {
        if (!fields.isEmpty()) {
            fields.forEach((name, value) -> {
                AsciiString field = new AsciiString(name);
                // What the server's answer depends on, it depends on still.
                if (field.equals(VARY)) {
                    head.add(field, new AsciiString(value));
                } else {
                    head.set(field, new AsciiString(value));
                }
            });
        }
    }
}
