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
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The ids of tokens that were withdrawn before they expired, kept as one Config resource, so that all control planes of a store
 * refuse them. Read again at most once a second: that is how long a revocation made elsewhere may take.
 */
public final class Revocations {
    private static final ResourceKey KEY = new ResourceKey(new KindId("Config"), "", "token-revocations");
    private static final String CONFIG = "config";
    private static final Duration MAX_AGE = Duration.ofSeconds(1);

    private final ResourceStore store;
    private final Clock clock;
    private volatile Known known = new Known(Set.of(), Instant.MIN);

    public Revocations(ResourceStore store, Clock clock) {
        this.store = store;
        this.clock = clock;
    }

    public boolean contains(String tokenId) {
        Known current = known;
        Instant now = clock.instant();
        if (!now.isBefore(current.until())) {
            current = new Known(ids(store.find(KEY)), now.plus(MAX_AGE));
            known = current;
        }
        return current.ids().contains(tokenId);
    }

    /** From now on the token with this id is refused. */
    public void add(String tokenId) {
        while (true) {
            Optional<Stored> before = store.find(KEY);
            Set<String> ids = new TreeSet<>(ids(before));
            ids.add(tokenId);
            Document spec = Document.of(JsonNodeFactory.instance.objectNode().put(CONFIG, String.join(",", ids)));
            Expected expected =
                    before.map(stored -> Expected.exactly(stored.revision())).orElse(Expected.absent());
            try {
                store.put(Resource.of(KEY, spec), expected);
                known = new Known(Set.copyOf(ids), Instant.MIN);
                return;
            } catch (StoreException e) {
                // Another control plane revoked something at the same moment: both must end up in the list.
                if (!(e.failure() instanceof Failure.Conflict)) {
                    throw e;
                }
            }
        }
    }

    private static Set<String> ids(Optional<Stored> stored) {
        String text = stored.map(
                        found -> found.resource().spec().tree().path(CONFIG).asText())
                .orElse("");
        return Arrays.stream(text.split(",")).filter(id -> !id.isEmpty()).collect(Collectors.toUnmodifiableSet());
    }

    private record Known(Set<String> ids, Instant until) {}
}
