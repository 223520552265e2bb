package io.parley.control.gateway.xds;

import io.envoyproxy.envoy.config.route.v3.Route;
import io.parley.control.draft.Protos;
import io.parley.control.gateway.model.RouteName;
import io.parley.control.gateway.route.Reached;
import io.parley.control.gateway.route.ResolvedRoute;
import io.parley.control.gateway.route.ResolvedRule;
import io.parley.resource.gateway.HttpMatch;
import io.parley.resource.gateway.HttpRule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Routes as messages. Those of a route that did not change are made once. Confined to one thread. */
public final class Pieces {
    private record Key(RouteName route, Place place) {}

    private record Made(ResolvedRoute from, List<Piece> pieces) {}

    private final Map<Key, Made> made = new HashMap<>();

    List<Piece> of(ResolvedRoute route, Place place) {
        Key key = new Key(route.name(), place);
        Made known = made.get(key);
        if (known == null || !known.from.equals(route)) {
            known = new Made(route, make(route, place));
            made.put(key, known);
        }
        return known.pieces;
    }

    /** A route that is not there any more. */
    public void forget(RouteName route) {
        made.keySet().removeIf(key -> key.route.equals(route));
    }

    private static List<Piece> make(ResolvedRoute route, Place place) {
        List<Piece> pieces = new ArrayList<>();
        for (ResolvedRule rule : route.rules()) {
            HttpRule http = rule.http();
            if (http == null) {
                continue;
            }
            Actions actions = new Actions(route.name().kind(), route.name().toString(), rule, place);
            for (int at = 0; at < http.matches().size(); at++) {
                HttpMatch match = http.matches().get(at);
                Route.Builder message = Route.newBuilder()
                        .setName(route.name() + "/rules[" + rule.index() + "]/matches[" + at + "]")
                        .setMatch(Matches.of(route.name().kind(), match))
                        .setMetadata(Protos.extras(extras(route, rule)));
                actions.apply(http, match, message);
                pieces.add(new Piece(message.build(), match, route.created(), route.name(), rule.index(), at));
            }
        }
        return List.copyOf(pieces);
    }

    private static Map<String, String> extras(ResolvedRoute route, ResolvedRule rule) {
        Map<String, String> extras = new LinkedHashMap<>();
        extras.put("source", route.name() + "#spec.rules[" + rule.index() + "]");
        if (rule.dropped() != null) {
            extras.put("because", rule.dropped());
        } else if (!rule.shares().isEmpty()) {
            extras.put(
                    "because",
                    switch (rule.shares().getFirst().reached()) {
                        case Reached.Usable usable -> usable.decision().because();
                        case Reached.Broken broken -> broken.message();
                    });
        }
        return extras;
    }
}
