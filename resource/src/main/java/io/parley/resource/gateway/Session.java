package io.parley.resource.gateway;

import io.parley.resource.policy.FramingFields;
import io.parley.resource.read.Choices;
import io.parley.resource.read.Field;
import io.parley.resource.read.Fields;
import io.parley.resource.read.WireText;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
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

    private static final int LONGEST_NAME = 128;
    private static final Set<String> TAKEN =
            Set.of("authorization", "cookie", "date", "expect", "host", "location", "set-cookie", "trailer");
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
        return new Session(name(fields.at("sessionName"), type), type, lifetime, absolute, idle);
    }

    /** A cookie's name and a header's are tokens; in a header that means something else, the session would replace that. */
    private static @Nullable String name(Field field, Type type) {
        String kind = type == Type.COOKIE ? "cookie" : "header";
        String name = field.text(
                "the name of a " + kind + ", of 1 to " + LONGEST_NAME + " characters",
                text -> text.length() <= LONGEST_NAME && WireText.isToken(text));
        if (name != null && type == Type.HEADER && isTaken(name.toLowerCase(Locale.ROOT))) {
            field.fail(name + " (expected: a header of its own, such as x-session)");
        }
        return name;
    }

    private static boolean isTaken(String header) {
        return FramingFields.has(header) || header.startsWith("content-") || TAKEN.contains(header);
    }
}
