package io.parley.resource;

/** The two ways in which people write a resource down. It comes back in the form in which it was given. */
public enum Form {
    /** {@code type}, {@code mesh}, {@code name} at the top, as outside Kubernetes. */
    UNIVERSAL,
    /** {@code apiVersion}, {@code kind}, {@code metadata}. */
    KUBERNETES
}
