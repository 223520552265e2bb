package io.parley.sync.copy;

import io.parley.agreement.sync.Origin;
import io.parley.agreement.sync.SyncLabels;
import io.parley.agreement.sync.SyncNames;
import io.parley.resource.Resource;
import io.parley.resource.ResourceKey;
import io.parley.resource.Result;
import io.parley.resource.Violation;
import io.parley.resource.kind.Author;
import io.parley.resource.kind.Kind;
import io.parley.sync.codec.WireName;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Copies that a zone keeps of global's resources, and by way of global of other zones'. */
public final class FromGlobal implements CopyRules {
    /** The name that global uses, on a copy that had to get another because the zone has a policy of that name. */
    private static final String SYNC_NAME = "parley.io/sync-name";

    /** What a control plane marks and calls its own secrets; taken from elsewhere they would stand in the way of its own. */
    private static final String OWN_SECRETS = "parley.io/sealed";

    private static final String OWN_KEYS = "token-signing-key-";

    @Override
    public Map<String, String> marks() {
        return Map.of(SyncLabels.ORIGIN, SyncLabels.ORIGIN_GLOBAL);
    }

    @Override
    public Optional<WireName> nameOf(Resource copy) {
        if (!(Origin.of(copy.labels()) instanceof Origin.Global)) {
            return Optional.empty();
        }
        String name = copy.annotations().getOrDefault(SYNC_NAME, copy.key().name());
        return Optional.of(new WireName(name, copy.key().space()));
    }

    @Override
    public Result<Resource> adopt(Kind kind, Resource sent) {
        String name = sent.key().name();
        if (kind.name().equals("GlobalSecret")
                && (name.startsWith(OWN_KEYS) || sent.labels().containsKey(OWN_SECRETS))) {
            return new Result.Rejected<>(List.of(new Violation(
                    "name", name + " (expected: no secret of a control plane's own, which never leaves it)")));
        }
        Map<String, String> labels = new HashMap<>(sent.labels());
        labels.put(SyncLabels.ORIGIN, SyncLabels.ORIGIN_GLOBAL);
        return new Result.Accepted<>(sent.withLabels(labels));
    }

    /** What only global may make is global's, except secrets, which the zone may depend on; of policies both count. */
    @Override
    public Clash clash(Kind kind, Resource present) {
        if (kind.name().equals("Secret") || kind.name().equals("GlobalSecret")) {
            return Clash.REFUSE;
        }
        return kind.author() == Author.ANYWHERE ? Clash.KEEP_BOTH : Clash.REPLACE;
    }

    @Override
    public Resource elsewhere(Resource copy) {
        ResourceKey key = copy.key();
        String name = SyncNames.hashed(key.space(), key.name(), copy.labels());
        Map<String, String> labels = new HashMap<>(copy.labels());
        labels.putIfAbsent(SyncLabels.DISPLAY_NAME, key.name());
        Map<String, String> annotations = new HashMap<>(copy.annotations());
        annotations.put(SYNC_NAME, key.name());
        return new Resource(
                new ResourceKey(key.kind(), key.space(), name),
                copy.form(),
                labels,
                annotations,
                copy.spec(),
                copy.status());
    }

    @Override
    public @Nullable ResourceKey owner() {
        return null;
    }

    @Override
    public StatusOf status() {
        return StatusOf.HERE;
    }
}
