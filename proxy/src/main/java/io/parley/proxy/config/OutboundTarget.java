package io.parley.proxy.config;

import io.parley.agreement.reason.Decision;

/**
 * Where connections to one address go.
 *
 * @param name the service, for people and metrics
 * @param declared what the service's port carries, and who says so
 * @param cluster the name of the {@link ClusterConfig} that has its endpoints
 */
public record OutboundTarget(String name, Decision<Protocol> declared, String cluster) {}
