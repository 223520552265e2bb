package io.parley.sync.status;

/** How many responses of one kind went to a zone and what became of them, and what came from it. */
record KindCounts(long sent, long acknowledged, long rejected, long received, long refused) {
    static final KindCounts NONE = new KindCounts(0, 0, 0, 0, 0);

    KindCounts plus(KindCounts other) {
        return new KindCounts(
                sent + other.sent,
                acknowledged + other.acknowledged,
                rejected + other.rejected,
                received + other.received,
                refused + other.refused);
    }
}
