package io.parley.proxy.tcp;

import io.parley.proxy.AddressText;
import io.parley.proxy.config.Endpoint;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A connection as names and values, for the access log and the admin page. */
public final class SessionFields {
    private SessionFields() {}

    /** Everything that is known; {@code now} is the ticker's reading. */
    public static Map<String, Object> of(Session session, long now) {
        Map<String, Object> fields = new LinkedHashMap<>();
        Accepted accepted = session.accepted();
        fields.put("id", session.id());
        fields.put("direction", accepted.direction());
        fields.put("listener", accepted.listener());
        fields.put("client", AddressText.of(accepted.client()));
        fields.put("destination", AddressText.of(accepted.destination()));
        fields.put("phase", session.phase().name());
        addAgreed(session.agreed(), fields);
        if (!session.names().isEmpty()) {
            fields.putIfAbsent("peer", session.names().getFirst());
        }
        addChoice(session.choice(), fields);
        fields.put("received", session.received());
        fields.put("sent", session.sent());
        fields.put("millis", TimeUnit.NANOSECONDS.toMillis(now - accepted.at()));
        Ending ending = session.ending();
        if (ending != null) {
            fields.put("end", ending.cause());
            if (!ending.detail().isEmpty()) {
                fields.put("detail", ending.detail());
            }
        }
        return fields;
    }

    private static void addAgreed(@Nullable Agreed agreed, Map<String, Object> fields) {
        if (agreed != null) {
            fields.put("protocol", agreed.protocol());
            fields.put("because", agreed.because().because());
            fields.put("source", agreed.because().source());
            if (agreed.peer() != null) {
                fields.put("peer", agreed.peer());
            }
        }
    }

    private static void addChoice(@Nullable Choice choice, Map<String, Object> fields) {
        if (choice != null) {
            Endpoint.Mesh mesh = choice.endpoint().mesh();
            fields.put("target", choice.target());
            fields.put("endpoint", AddressText.of(choice.endpoint().dialled()));
            if (mesh != null) {
                fields.put("server", mesh.identity());
            }
        }
    }
}
