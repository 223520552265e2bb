package io.parley.proxy.http;

/** A copy of some requests, the answers to which nobody sees. */
public record Mirror(String cluster, int perMillion) {}
