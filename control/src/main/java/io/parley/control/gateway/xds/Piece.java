package io.parley.control.gateway.xds;

import io.envoyproxy.envoy.config.route.v3.Route;
import io.parley.control.gateway.model.RouteName;
import io.parley.resource.gateway.HttpMatch;
import java.time.Instant;
import java.util.Comparator;

/** One match of one rule, with what decides which of several is tried first. */
record Piece(Route route, HttpMatch match, Instant created, RouteName of, int rule, int at)
        implements Comparable<Piece> {
    /** As the API demands; regular expressions, of which it says nothing, after exact paths. */
    private static final Comparator<Piece> ORDER = Comparator.<Piece>comparingInt(
                    piece -> switch (piece.match.path().type()) {
                        case EXACT -> 0;
                        case REGULAR_EXPRESSION -> 1;
                        case PATH_PREFIX -> 2;
                    })
            .thenComparing(piece -> piece.match.path().value().length(), Comparator.reverseOrder())
            .thenComparing(piece -> piece.match.method() == null)
            .thenComparing(piece -> piece.match.headers().size(), Comparator.reverseOrder())
            .thenComparing(piece -> piece.match.query().size(), Comparator.reverseOrder())
            .thenComparing(Piece::created)
            .thenComparing(piece -> piece.of.name())
            .thenComparing(Piece::of)
            .thenComparingInt(Piece::rule)
            .thenComparingInt(Piece::at);

    @Override
    public int compareTo(Piece other) {
        return ORDER.compare(this, other);
    }
}
