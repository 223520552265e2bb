package io.parley.agreement.version;

import io.parley.agreement.reason.Decision;

/** What came of comparing two sides' versions: one that both speak, or the reason why there is none. */
public sealed interface VersionChoice<V> {
    /** Both sides speak this version. */
    record Agreed<V>(Decision<V> decision) implements VersionChoice<V> {}

    /**
     * No version is spoken by both.
     *
     * @param because one sentence without a final stop, with what each side has and what to do about it
     */
    record NothingInCommon<V>(String because) implements VersionChoice<V> {}
}
