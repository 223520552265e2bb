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
    /** Of policies that came with their mesh and that nobody has written since. */
    public static final String INITIAL = "parley.io/initial";

    /** An annotation of Dataplanes that are not intercepted: where they find host names of VirtualOutbounds. */
    public static final String VIRTUAL_OUTBOUNDS = "parley.io/virtual-outbounds";

    public static final String DISPLAY_NAME = "kuma.io/display-name";
    public static final String NAMESPACE = "k8s.kuma.io/namespace";
    public static final String DEFAULT_MESH = "default";

    private Names() {}
}
