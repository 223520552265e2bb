package io.parley.control.draft;

import io.parley.control.policy.Matched;
import io.parley.control.policy.Merges;
import io.parley.control.policy.PolicyKind;

/** What policies of one kind do to what is made for a proxy. */
public interface PolicyEffect<C> {
    PolicyKind<C> kind();

    void apply(Matched<C> matched, ProxyDraft draft);

    /** Finds the policies that act on the proxy, and lets them. */
    default void apply(ProxyDraft draft, Merges merges) {
        apply(Matched.of(kind(), draft.mesh(), draft.dataplane(), merges), draft);
    }
}
