package io.parley.store.postgres;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Where a database is, as people write it: {@code postgres://user:password@host:port/database?sslmode=verify-full}. Never shows
 * its password.
 *
 * @param hosts one or more {@code host[:port]}, with commas between
 * @param options driver properties by name
 */
public record PostgresUrl(String hosts, String database, String user, String password, Map<String, String> options) {
    /** What may follow the question mark. A list, as the driver has options that load classes or write files. */
    private static final Map<String, String> OPTIONS = Map.of(
            "sslmode", "sslmode",
            "sslrootcert", "sslrootcert",
            "sslcert", "sslcert",
            "sslkey", "sslkey",
            "application_name", "ApplicationName",
            "target_session_attrs", "targetServerType");

    private static final String EXPECTED = "expected: postgres://USER:PASSWORD@HOST:PORT/DATABASE";

    public PostgresUrl {
        options = Map.copyOf(options);
    }

    public static PostgresUrl parse(String text) {
        String rest = rest(text);
        int question = rest.indexOf('?');
        String place = question < 0 ? rest : rest.substring(0, question);
        int at = place.lastIndexOf('@');
        String[] login = (at < 0 ? "" : place.substring(0, at)).split(":", 2);
        String[] target = place.substring(at + 1).split("/", 2);
        String user = decode(login[0]);
        String database = target.length > 1 ? decode(target[1]) : user;
        if (user.isEmpty() || target[0].isEmpty() || database.isEmpty()) {
            throw new IllegalArgumentException("PostgreSQL URL without user, host or database (" + EXPECTED + ")");
        }
        Map<String, String> options = options(question < 0 ? "" : rest.substring(question + 1));
        secure(options, target[0]);
        return new PostgresUrl(target[0], database, user, login.length > 1 ? decode(login[1]) : "", options);
    }

    private static String rest(String text) {
        for (String scheme : new String[] {"postgres://", "postgresql://"}) {
            if (text.startsWith(scheme)) {
                return text.substring(scheme.length());
            }
        }
        throw new IllegalArgumentException("not a PostgreSQL URL (" + EXPECTED + ")");
    }

    private static Map<String, String> options(String query) {
        var options = new HashMap<String, String>();
        for (String pair : query.isEmpty() ? new String[0] : query.split("&", -1)) {
            String[] parts = pair.split("=", 2);
            String property = Optional.ofNullable(OPTIONS.get(parts[0]))
                    .orElseThrow(() -> new IllegalArgumentException("PostgreSQL URL option: " + parts[0]
                            + " (expected one of: "
                            + String.join(
                                    ", ", OPTIONS.keySet().stream().sorted().toList()) + ")"));
            String value = parts.length > 1 ? decode(parts[1]) : "";
            options.put(
                    property, property.equals("targetServerType") && value.equals("read-write") ? "primary" : value);
        }
        return options;
    }

    /** Beyond this machine, the server must prove who it is unless the user says otherwise. */
    private static void secure(Map<String, String> options, String hosts) {
        boolean local = hosts.matches("(localhost|127\\.[0-9.]+|\\[::1])(:[0-9]+)?");
        String mode = options.computeIfAbsent("sslmode", _ -> local ? "prefer" : "verify-full");
        if (mode.startsWith("verify") && !options.containsKey("sslrootcert")) {
            options.put("sslfactory", "org.postgresql.ssl.DefaultJavaSSLFactory");
        }
    }

    private static String decode(String part) {
        try {
            return URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException _) {
            throw new IllegalArgumentException("PostgreSQL URL with a % that is not followed by two hex digits");
        }
    }

    @Override
    public String toString() {
        return "postgres://" + user + "@" + hosts + "/" + database;
    }
}
