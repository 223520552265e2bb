package io.parley.proxy.config;

import io.parley.agreement.reason.Decision;

/**
 * What holds for one port of the application, or for all that are not named.
 *
 * @param declared what the port carries, and who says so
 * @param authorization who may connect
 */
public record InboundPort(Decision<Protocol> declared, Authorization authorization) {}
