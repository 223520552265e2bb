package io.parley.cli.client;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * What the control plane said, if it did not refuse.
 *
 * @param outcome of a write: {@code created}, {@code updated} or {@code unchanged}; else empty
 */
public record Answer(String outcome, JsonNode body) {}
