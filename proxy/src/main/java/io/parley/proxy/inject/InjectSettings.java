package io.parley.proxy.inject;

/**
 * What the proxy that is added looks like.
 *
 * @param image of the proxy and of the step that sets up interception
 * @param controlPlane where the proxy joins, {@code https://host:port}
 * @param secret a Secret with the keys {@code token} and {@code ca.pem}, and {@code admin.token} if there are administrators, mounted for
 *     the proxy
 */
public record InjectSettings(String image, String controlPlane, String mesh, String secret) {
    public static final InjectSettings DEFAULT = new InjectSettings(
            "parley:latest", "https://parley-control-plane.parley-system:5678", "default", "parley-proxy");
}
