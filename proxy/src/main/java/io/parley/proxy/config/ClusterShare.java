package io.parley.proxy.config;

/**
 * A share of what comes in.
 *
 * @param cluster the name of the {@link ClusterConfig} that gets it
 * @param weight in relation to the others'
 */
public record ClusterShare(String cluster, int weight) {}
