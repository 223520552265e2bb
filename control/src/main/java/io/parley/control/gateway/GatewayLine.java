package io.parley.control.gateway;

/**
 * A Gateway, or what proxies that have joined take for one, for people.
 *
 * @param proxies how many of its proxies are linked to this control plane
 * @param problem what is in the way; empty if nothing is
 */
public record GatewayLine(String namespace, String name, int proxies, String problem) {}
