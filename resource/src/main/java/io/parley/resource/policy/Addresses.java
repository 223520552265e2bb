package io.parley.resource.policy;

import io.parley.agreement.port.PortRange;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import java.util.regex.Pattern;

/** Where something outside a mesh listens. */
public final class Addresses {
    private static final Pattern HOST_AND_PORT =
            Pattern.compile("(\\[[0-9a-fA-F:.]{2,45}]|[A-Za-z0-9]([A-Za-z0-9._-]{0,252}))\\:([0-9]{1,5})");

    private Addresses() {}

    public static boolean isHostAndPort(String text) {
        return HOST_AND_PORT.matcher(text).matches()
                && isPort(Integer.parseInt(text.substring(text.lastIndexOf(':') + 1)));
    }

    public static boolean isHttpUrl(String text) {
        return url(text)
                .filter(url -> "http".equals(url.getScheme()) || "https".equals(url.getScheme()))
                .isPresent();
    }

    /** {@code http://host:port} and nothing more. */
    public static boolean isBareHttpUrl(String text) {
        return text.startsWith("http://") && isHostAndPort(text.substring("http://".length()));
    }

    /** By RFC 3986, which knows no letters but those of ASCII; the JDK does. */
    private static Optional<URI> url(String text) {
        if (text.chars().anyMatch(c -> c > '~')) {
            return Optional.empty();
        }
        try {
            URI url = new URI(text);
            boolean hasPort = url.getPort() == -1 || isPort(url.getPort());
            return url.getHost() == null || !hasPort ? Optional.empty() : Optional.of(url);
        } catch (URISyntaxException _) {
            return Optional.empty();
        }
    }

    private static boolean isPort(int number) {
        return 0 < number && number <= PortRange.HIGHEST;
    }
}
