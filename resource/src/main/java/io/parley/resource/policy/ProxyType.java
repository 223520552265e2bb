package io.parley.resource.policy;

/** Which proxies of a mesh are meant. */
public enum ProxyType {
    SIDECAR,
    GATEWAY
}
