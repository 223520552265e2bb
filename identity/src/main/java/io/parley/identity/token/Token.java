package io.parley.identity.token;

import java.time.Instant;

/**
 * A token that was checked.
 *
 * @param id what a revocation names
 */
public record Token(String id, Subject subject, Instant expires) {}
