package io.parley.control.keys;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.parley.resource.Document;
import io.parley.resource.KindId;
import io.parley.resource.Resource;
import io.parley.resource.ResourceKey;
import io.parley.store.Expected;
import io.parley.store.Failure;
import io.parley.store.ResourceStore;
import io.parley.store.StoreException;
import io.parley.store.Stored;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The ids of tokens that were withdrawn before they expired, kept as one Config resource, so that all control planes of a store
 * refuse them. Read again at most once a second: that is how long a revocation made elsewhere may take.
 */
public final class Revocations {
    /** Where they are kept. */
    public static final ResourceKey KEY = new ResourceKey(new KindId("Config"), "", "token-revocations");

    private static final String CONFIG = "config";
    /** What cannot be an entry is passed over: a list that nobody can read would lock everybody out. */
    private static final Pattern ENTRY = Pattern.compile("([^,@]+)@([0-9]{1,11})");

    private static final Duration LONGEST_TOKEN = Duration.ofDays(366);
    private static final Duration MAX_AGE = Duration.ofSeconds(1);

    private final ResourceStore store;
    private final Clock clock;
    private final AtomicReference<Known> known = new AtomicReference<>(new Known(Map.of(), Instant.MIN));

    public Revocations(ResourceStore store, Clock clock) {
        this.store = store;
        this.clock = clock;
    }

    public boolean contains(String tokenId) {
        Known current = known.get();
        Instant now = clock.instant();
        if (!now.isBefore(current.until())) {
            // What was read may be older than a revocation made here meanwhile, which must not be forgotten by it.
            Known read = reread(current, now);
            current = known.compareAndSet(current, read) ? read : known.get();
        }
        return current.ids().containsKey(tokenId);
    }

    /** While the store is away, what was known last goes on to count: nobody is locked out by that, and nobody let in again. */
    private Known reread(Known last, Instant now) {
        try {
            return new Known(ids(store.find(KEY), now), now.plus(MAX_AGE));
        } catch (StoreException e) {
            if (last.until().equals(Instant.MIN)) {
                throw e;
            }
            // By the clock of now: that the store is away may have taken longer to find out.
            return new Known(last.ids(), clock.instant().plus(MAX_AGE));
        }
    }

    /**
     * From now on the token with this id is refused.
     *
     * @param tokenId a UUID, as every token of ours has
     */
    public void add(UUID tokenId) {
        while (true) {
            Instant now = clock.instant();
            Optional<Stored> before = store.find(KEY);
            Map<String, Instant> ids = new TreeMap<>(ids(before, now));
            ids.put(tokenId.toString(), now.plus(LONGEST_TOKEN));
            String text = ids.entrySet().stream()
                    .map(each -> each.getKey() + '@' + each.getValue().getEpochSecond())
                    .collect(Collectors.joining(","));
            Document spec = Document.of(JsonNodeFactory.instance.objectNode().put(CONFIG, text));
            Expected expected =
                    before.map(stored -> Expected.exactly(stored.revision())).orElse(Expected.absent());
            try {
                store.put(Resource.of(KEY, spec), expected);
                known.set(new Known(Map.copyOf(ids), now));
                return;
            } catch (StoreException e) {
                // Another control plane revoked something at the same moment: both must end up in the list.
                if (!(e.failure() instanceof Failure.Conflict)) {
                    throw e;
                }
            }
        }
    }

    /** Those that could still be in use; a token that ended by itself need not be remembered. */
    private static Map<String, Instant> ids(Optional<Stored> stored, Instant now) {
        String config = stored.map(
                        found -> found.resource().spec().tree().path(CONFIG).asText())
                .orElse("");
        Map<String, Instant> ids = new HashMap<>();
        for (String text : config.split(",", -1)) {
            Matcher entry = ENTRY.matcher(text);
            if (entry.matches()) {
                Instant until = Instant.ofEpochSecond(Long.parseLong(entry.group(2)));
                if (now.isBefore(until)) {
                    ids.put(entry.group(1), until);
                }
            }
        }
        return Map.copyOf(ids);
    }

    private record Known(Map<String, Instant> ids, Instant until) {}
}
