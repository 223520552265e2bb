package io.parley.xds.client;

/** A watch under way. */
public interface Watch extends AutoCloseable {
    /** Ends it. Events already on their way may still come. */
    @Override
    void close();
}
