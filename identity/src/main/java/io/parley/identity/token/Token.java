package io.parley.identity.token;

import java.time.Instant;

/**
 * A token that was checked.
 *
 * @param id what a revocation names
 * @param keyId of the key that signed it
 */
public record Token(String id, String keyId, Subject subject, Instant expires) {}
