package io.parley.resource.gateway;

import io.parley.resource.read.Choices;
import io.parley.resource.read.Fields;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a client at one endpoint.
 *
 * @param name of the cookie or header; null for one that the gateway chooses
 * @param absoluteTimeout how long at most; null for as long as the client keeps it
 * @param idleTimeout how long at most without a request; null for as long as the client keeps it
 */
public record Session(
        @Nullable String name,
        Type type,
        Lifetime lifetime,
        @Nullable Duration absoluteTimeout,
        @Nullable Duration idleTimeout) {
    /** Where the client keeps what it is told. */
    public enum Type {
        COOKIE,
        HEADER
    }

    /** How long a cookie is kept. */
    public enum Lifetime {
        SESSION,
        PERMANENT
    }

    private static final Choices<Type> TYPES = Choices.camelCase(Type.class);
    private static final Choices<Lifetime> LIFETIMES = Choices.camelCase(Lifetime.class);

    static Session read(Fields fields) {
        Type type = fields.at("type").choiceOr(Type.COOKIE, TYPES);
        Lifetime config = fields.at("cookieConfig")
                .object(cookie -> cookie.at("lifetimeType").choiceOr(Lifetime.SESSION, LIFETIMES));
        Duration absolute = FilterReader.duration(fields.at("absoluteTimeout"));
        Duration idle = FilterReader.duration(fields.at("idleTimeout"));
        Lifetime lifetime = config == null ? Lifetime.SESSION : config;
        if (lifetime == Lifetime.PERMANENT && absolute == null) {
            fields.fail("absoluteTimeout", "missing (expected: one, as the cookie is permanent)");
        }
        return new Session(
                fields.at("sessionName").text("a name of 1 to 128 characters", text -> text.length() <= 128),
                type,
                lifetime,
                absolute,
                idle);
    }
}
