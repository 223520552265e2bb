package io.parley.resource.policy;

/**
 * What a policy says.
 *
 * @param <C> what it sets
 */
public sealed interface PolicySpec<C> permits TrafficPolicy, ProxyPolicy {
    /** The proxies that it is for. */
    TargetRef target();
}
