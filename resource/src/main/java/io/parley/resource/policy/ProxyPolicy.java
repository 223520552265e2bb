package io.parley.resource.policy;

/** A policy about proxies as such, with one set of settings. */
public record ProxyPolicy<C>(TargetRef target, C conf) implements PolicySpec<C> {}
