package io.parley.store;

/** Gives a test an empty store, which is closed after the test. */
public interface StoreFixture {
    ResourceStore fresh(Retention retention);

    default ResourceStore fresh() {
        return fresh(Retention.DEFAULT);
    }
}
