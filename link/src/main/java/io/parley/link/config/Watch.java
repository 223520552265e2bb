package io.parley.link.config;

/** Something that goes on telling until it is closed. */
@FunctionalInterface
public interface Watch extends AutoCloseable {
    @Override
    void close();
}
