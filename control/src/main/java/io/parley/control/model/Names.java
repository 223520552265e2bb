package io.parley.control.model;

/** Words that the mesh's manifests use: tags, labels and annotations. */
public final class Names {
    public static final String SERVICE = "kuma.io/service";
    public static final String PROTOCOL = "kuma.io/protocol";
    public static final String PORT = "parley.io/port";
    public static final String ZONE = "kuma.io/zone";
    public static final String MESH = "kuma.io/mesh";
    public static final String ORIGIN = "kuma.io/origin";
    public static final String ROLE = "kuma.io/policy-role";
    public static final String EFFECT = "kuma.io/effect";
    public static final String DISPLAY_NAME = "kuma.io/display-name";
    public static final String NAMESPACE = "k8s.kuma.io/namespace";
    public static final String DEFAULT_MESH = "default";

    private Names() {}
}
