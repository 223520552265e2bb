package io.parley.control.snapshot;

import java.util.Optional;

/** What is in the Secrets of meshes. May block for the store's sake. */
@FunctionalInterface
public interface SecretTexts {
    Optional<String> find(String mesh, String name);
}
