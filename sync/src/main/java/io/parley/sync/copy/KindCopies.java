package io.parley.sync.copy;

import io.parley.agreement.sync.PriorityClass;
import io.parley.resource.Resource;
import io.parley.resource.Result;
import io.parley.resource.Violation;
import io.parley.resource.kind.Kind;
import io.parley.store.Cursor;
import io.parley.store.Page;
import io.parley.store.Query;
import io.parley.store.ResourceStore;
import io.parley.store.Stored;
import io.parley.sync.codec.ResourceCodec;
import io.parley.sync.codec.WireName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The copies of one kind from one peer. It outlives streams: what was taken on one need not be sent again on the next. Several streams may
 * meet here when a peer reconnects before its old stream is noticed to be gone; only the latest one's deliveries count (case 24).
 *
 * <p>The first state of a stream is everything that the reader does not have yet. When it is whole, copies that neither the reader claimed
 * nor the peer mentioned are gone from the peer, and are removed. Of operational kinds it is stored whole or not at all; the informational
 * ones, which may be many, are stored piece by piece so that no other writer waits for long (docs/decisions/0092).
 */
public final class KindCopies {
    private static final int SLICE = 1_000;

    /** As much as 200,000 policies of more than a kilobyte. Whoever sends more of a kind before it is whole is not heard to the end. */
    private static final long MOST_HELD_BYTES = 256L * 1024 * 1024;

    /**
     * Claimed of copies of which we do not know what the peer has: no version is empty, so that the peer says of each what it is or that it
     * is gone. Were they left out beside others that are claimed, a peer without news would say nothing and what it deleted would stay.
     */
    private static final String UNKNOWN = "";

    private final Kind kind;
    private final ResourceStore store;
    private final CopyRules rules;
    private final CopyWriter writer;
    private final long mostHeldBytes;
    private final Map<String, Copy> copies = new HashMap<>();
    private final Set<String> unconfirmed = new HashSet<>();
    private final List<Wish> held = new ArrayList<>();

    private final RejectedItems rejected = new RejectedItems();

    /** Of what was rejected, the names that the first state of this stream has not mentioned: when it is whole they are gone from the peer. */
    private final Set<String> unmentioned = new HashSet<>();

    private long heldBytes;
    private Fence fence = Fence.NONE;
    private long stream;
    private boolean first;

    public KindCopies(Kind kind, ResourceStore store, CopyRules rules) {
        this(kind, store, rules, MOST_HELD_BYTES);
    }

    /**
     * @param mostHeldBytes of a first state that are kept in memory until it is whole
     */
    KindCopies(Kind kind, ResourceStore store, CopyRules rules, long mostHeldBytes) {
        this.kind = kind;
        this.store = store;
        this.rules = rules;
        this.mostHeldBytes = mostHeldBytes;
        this.writer = new CopyWriter(kind, store, rules, copies);
    }

    /** Whether a stream begins where the last one ended. */
    public enum Start {
        RESUME,
        FROM_NOTHING
    }

    /**
     * Begins a stream.
     *
     * @param versions by the peer's names, of what need not be sent unless it is another; nothing when starting from nothing
     */
    public record Begun(long stream, Map<String, String> versions) {}

    /** Looks at what is stored, which somebody else may have changed meanwhile, and makes earlier streams' deliveries void. */
    public synchronized Begun begin(Start start, Fence ofStream) {
        fence = ofStream;
        Map<String, Copy> before = Map.copyOf(copies);
        copies.clear();
        unconfirmed.clear();
        unmentioned.clear();
        unmentioned.addAll(rejected.names());
        held.clear();
        heldBytes = 0;
        first = true;
        Map<String, String> versions = new HashMap<>();
        for (Stored stored : list()) {
            rules.nameOf(stored.resource()).map(WireName::toString).ifPresent(name -> {
                Copy known = before.get(name);
                boolean same = start == Start.RESUME
                        && known != null
                        && !known.version().isEmpty()
                        && known.revision().equals(stored.revision());
                copies.put(name, Copy.of(stored, same && known != null ? known.version() : ""));
                if (same && known != null) {
                    versions.put(name, known.version());
                } else {
                    unconfirmed.add(name);
                }
            });
        }
        if (!versions.isEmpty()) {
            unconfirmed.forEach(name -> versions.put(name, UNKNOWN));
        }
        return new Begun(++stream, versions);
    }

    private List<Stored> list() {
        List<Stored> rows = new ArrayList<>();
        Cursor after = null;
        do {
            Page page = store.list(Query.of(kind.id())
                    .withLabels(rules.marks())
                    .withLimit(Query.MAX_LIMIT)
                    .startingAfter(after));
            rows.addAll(page.items());
            after = page.next();
        } while (after != null);
        return rows;
    }

    /**
     * Takes a delivery in. What is bad in it is left out and reported; the copy of before stays.
     *
     * @throws io.parley.store.StoreException if the store fails; the stream cannot go on then
     * @throws SupersededException if another stream has taken over
     * @throws StateTooLargeException if more comes than is kept in memory until it is whole
     */
    public synchronized Verdict take(long ofStream, Delivery delivery) {
        if (ofStream != stream) {
            return new Verdict(List.of(new Problem(kind.name(), "a newer stream has taken over")), rejected.list());
        }
        List<Problem> problems = new ArrayList<>();
        Map<String, Wish> wishes = new LinkedHashMap<>();
        for (Delivery.Item item : delivery.items()) {
            read(item, wishes, problems);
        }
        delivery.removed().stream().filter(name -> !wishes.containsKey(name)).forEach(this::mentioned);
        Set<String> removals = new HashSet<>(delivery.removed());
        removals.removeAll(wishes.keySet());
        List<Wish> ready = List.copyOf(wishes.values());
        if (first) {
            if (PriorityClass.of(kind.name()) == PriorityClass.OPERATIONAL && !delivery.completes()) {
                hold(delivery, ready, removals);
                return verdict(problems);
            }
            ready = withHeld(ready, removals);
            if (delivery.completes()) {
                removals.addAll(unconfirmed);
                unconfirmed.clear();
                rejected.toldAnew(unmentioned);
                unmentioned.clear();
                first = false;
            }
        }
        write(ready, removals, problems);
        return verdict(problems);
    }

    private Verdict verdict(List<Problem> problems) {
        problems.forEach(rejected::add);
        return new Verdict(problems, rejected.list());
    }

    /** The peer has said something of this: what it was before is of no interest. */
    private void mentioned(String name) {
        unconfirmed.remove(name);
        unmentioned.remove(name);
        rejected.remove(name);
    }

    /** Keeps a piece until the state is whole. */
    private void hold(Delivery delivery, List<Wish> ready, Set<String> removals) {
        heldBytes += delivery.size();
        if (heldBytes > mostHeldBytes) {
            held.clear();
            throw new StateTooLargeException(kind.name() + ": more than " + mostHeldBytes
                    + " bytes and no end (expected: a first state that fits into memory)");
        }
        held.addAll(ready);
        removals.forEach(name -> held.add(new Wish(name, "", null)));
    }

    /** What was held back and what came now, the last word on each name counting. */
    private List<Wish> withHeld(List<Wish> ready, Set<String> removals) {
        Map<String, Wish> all = new LinkedHashMap<>();
        held.forEach(wish -> all.put(wish.name(), wish));
        ready.forEach(wish -> all.put(wish.name(), wish));
        held.clear();
        removals.forEach(all::remove);
        all.values().stream().filter(wish -> wish.resource() == null).forEach(wish -> removals.add(wish.name()));
        return all.values().stream().filter(wish -> wish.resource() != null).toList();
    }

    private void write(List<Wish> wishes, Set<String> removals, List<Problem> problems) {
        boolean whole = PriorityClass.of(kind.name()) == PriorityClass.OPERATIONAL;
        int slice = whole ? Integer.MAX_VALUE : SLICE;
        int from = 0;
        do {
            int to = (int) Math.min(wishes.size(), (long) from + slice);
            // Removals go with the last slice: until then nothing is missing that will be there again.
            writer.write(wishes.subList(from, to), to == wishes.size() ? removals : Set.of(), fence, problems);
            from = to;
        } while (from < wishes.size());
    }

    private void read(Delivery.Item item, Map<String, Wish> wishes, List<Problem> problems) {
        mentioned(item.name());
        switch (ResourceCodec.decode(kind, item.resource())) {
            case Result.Rejected<Resource>(List<Violation> violations) ->
                problems.add(new Problem(item.name(), text(violations)));
            case Result.Accepted<Resource>(Resource sent) -> {
                String name = new WireName(sent.key().name(), sent.key().space()).toString();
                mentioned(name);
                switch (rules.adopt(kind, sent)) {
                    case Result.Rejected<Resource>(List<Violation> violations) ->
                        problems.add(new Problem(name, text(violations)));
                    case Result.Accepted<Resource>(Resource copy) ->
                        wishes.put(name, new Wish(name, item.version(), copy));
                }
            }
        }
    }

    private static String text(List<Violation> violations) {
        return violations.stream().limit(5).map(Violation::toString).collect(Collectors.joining(", "));
    }
}
