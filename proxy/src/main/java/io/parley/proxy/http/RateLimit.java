package io.parley.proxy.http;

import java.time.Duration;

/**
 * How many requests this proxy lets through.
 *
 * @param requests in each interval, and at once
 * @param status the answer to those that are too many
 * @param edits what is added to that answer
 */
public record RateLimit(int requests, Duration interval, int status, FieldEdits edits) {}
