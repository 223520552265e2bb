package io.parley.control.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.parley.identity.seal.MasterKey;
import io.parley.identity.seal.UnsealException;
import io.parley.resource.Document;
import io.parley.resource.KindId;
import io.parley.resource.Resource;
import io.parley.resource.ResourceKey;
import io.parley.store.Expected;
import io.parley.store.ResourceStore;
import io.parley.store.Retention;
import io.parley.store.memory.MemoryStore;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class SealedSecretsTest {
    private final SecureRandom random = new SecureRandom();
    private final ResourceStore store = new MemoryStore(Retention.DEFAULT, Clock.systemUTC());
    private final SealedSecrets secrets = new SealedSecrets(store, new MasterKey(MasterKey.generate(random), random));

    @Test
    void isMadeOnceAndFoundAgain() {
        byte[] first = secrets.findOrMake("key", () -> bytes("one"));
        byte[] second = secrets.findOrMake("key", () -> bytes("two"));

        assertThat(first).isEqualTo(bytes("one"));
        assertThat(second).isEqualTo(first);
    }

    @Test
    void ofTwoMakersOnePrevails() {
        byte[] mine = secrets.findOrMake("key", () -> {
            secrets.findOrMake("key", () -> bytes("theirs"));
            return bytes("mine");
        });

        assertThat(mine).isEqualTo(bytes("theirs"));
    }

    @Test
    void theStoreNeverSeesIt() {
        secrets.findOrMake("key", () -> bytes("very secret"));

        assertThat(store.find(new ResourceKey(new KindId("GlobalSecret"), "", "key"))
                        .orElseThrow()
                        .toString())
                .doesNotContain("very secret")
                .doesNotContain(java.util.Base64.getEncoder().encodeToString(bytes("very secret")));
    }

    @Test
    void anotherMasterKeyOpensNothing() {
        secrets.findOrMake("key", () -> bytes("one"));
        SealedSecrets stranger = new SealedSecrets(store, new MasterKey(MasterKey.generate(random), random));

        assertThatThrownBy(() -> stranger.find("key"))
                .isInstanceOf(UnsealException.class)
                .hasMessageContaining("master key");
    }

    @Test
    void keysAndRevocationsAreSharedThroughTheStore() {
        SigningKeys one = SigningKeys.open(secrets, Clock.systemUTC(), random);
        SigningKeys other = SigningKeys.open(secrets, Clock.systemUTC(), random);
        UUID first = UUID.randomUUID();
        UUID second = UUID.randomUUID();
        new Revocations(store, Clock.systemUTC()).add(first);
        Revocations revocations = new Revocations(store, Clock.systemUTC());
        revocations.add(second);

        assertThat(other.find(one.current().id())).contains(one.current().publicKey());
        assertThat(other.find("unknown")).isEmpty();
        assertThat(revocations.contains(first.toString())).isTrue();
        assertThat(revocations.contains(second.toString())).isTrue();
        assertThat(revocations.contains(UUID.randomUUID().toString())).isFalse();
    }

    @Test
    void anUnreadableEntryAmongTheRevocationsHidesNoOther() {
        UUID revoked = UUID.randomUUID();
        String list = "x@y,z@1,a@b@c,@," + revoked + "@99999999999,later@999999999999999999999";
        store.put(
                Resource.of(
                        Revocations.KEY,
                        Document.of(JsonNodeFactory.instance.objectNode().put("config", list))),
                Expected.anything());

        Revocations revocations = new Revocations(store, Clock.systemUTC());

        assertThat(revocations.contains(revoked.toString())).isTrue();
        assertThat(revocations.contains("x")).isFalse();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
