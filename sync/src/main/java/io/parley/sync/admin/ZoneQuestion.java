package io.parley.sync.admin;

/**
 * A question for a zone.
 *
 * @param tenant whose zone it is; empty where there is only one
 */
public record ZoneQuestion(String tenant, String zone, Question question) {}
