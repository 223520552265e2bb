package io.parley.resource.kind;

/** Where a manifest holds what the resource says. */
public enum Shape {
    /** Under {@code spec}, whatever the form. */
    SPEC,
    /** Under {@code spec} in Kubernetes, beside the name otherwise: kinds that are protobuf messages in Kuma. */
    INLINE,
    /** Beside the name even in Kubernetes: kinds such as Secret that have no {@code spec}. */
    BARE
}
