package io.parley.proxy.exchange;

import io.netty.handler.codec.http2.Http2Headers;
import io.netty.util.AsciiString;
import io.parley.proxy.http.Affinity;
import io.parley.proxy.route.Queries;
import io.parley.proxy.route.RequestView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What keeps requests together.
 *
 * @param key requests with the same one go to the same endpoint
 * @param cookie set in the answer; null if the client has it already
 */
record Affine(String key, @Nullable String cookie) {
    /** The first of these that the request has; null if it has none. */
    static @Nullable Affine of(List<Affinity> all, RequestView request, Connection connection, HttpLoop loop) {
        for (Affinity one : all) {
            Affine found = of(one, request, connection, loop);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private static @Nullable Affine of(Affinity one, RequestView request, Connection connection, HttpLoop loop) {
        return switch (one) {
            case Affinity.Header(var name) -> ofKey(request.field(name));
            case Affinity.Query(var name) -> ofKey(Queries.first(request.target(), name));
            case Affinity.Source() -> ofKey(connection.client().getAddress().getHostAddress());
            case Affinity.Cookie wanted -> {
                String value = cookie(request.field("cookie"), wanted.name());
                yield value == null
                        ? fresh(wanted, Long.toHexString(loop.chance().nextLong()))
                        : ofKey(value);
            }
        };
    }

    private static @Nullable Affine ofKey(@Nullable String key) {
        return key == null ? null : new Affine(key, null);
    }

    private static Affine fresh(Affinity.Cookie wanted, String key) {
        String age = wanted.life().isZero() ? "" : "; Max-Age=" + wanted.life().toSeconds();
        return new Affine(key, wanted.name() + "=" + key + "; Path=" + wanted.path() + age + "; HttpOnly");
    }

    private static @Nullable String cookie(@Nullable String field, String name) {
        if (field == null) {
            return null;
        }
        for (String pair : field.split("[;,]", -1)) {
            int equals = pair.indexOf('=');
            if (equals > 0 && pair.substring(0, equals).strip().equals(name)) {
                return pair.substring(equals + 1).strip();
            }
        }
        return null;
    }

    void mark(Http2Headers answer) {
        if (cookie != null) {
            answer.add(new AsciiString("set-cookie"), new AsciiString(cookie));
        }
    }
}
