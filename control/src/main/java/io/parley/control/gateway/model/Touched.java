package io.parley.control.gateway.model;

/** Something that is not as it was. */
public sealed interface Touched {
    /** A GatewayClass. */
    record ClassOf(String name) implements Touched {}

    /** A Gateway. */
    record GatewayOf(Name name) implements Touched {}

    /** A route. */
    record RouteOf(RouteName name) implements Touched {}

    /** A Service, or what belongs to it: slices, a BackendProtocol, a BackendTLSPolicy. */
    record BackendOf(Name service) implements Touched {}

    /** The ReferenceGrants of a namespace. */
    record GrantsIn(String namespace) implements Touched {}

    /** A BackendTLSPolicy. */
    record PolicyOf(Name name) implements Touched {}

    /** A Secret or ConfigMap. */
    record DataOf(DataName name) implements Touched {}

    /** The labels of a Namespace. */
    record NamespaceOf(String name) implements Touched {}
}
