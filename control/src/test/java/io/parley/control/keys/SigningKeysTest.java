package io.parley.control.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.parley.control.access.Place;
import io.parley.control.admission.Admission;
import io.parley.control.admission.Refusal;
import io.parley.identity.seal.MasterKey;
import io.parley.identity.seal.UnsealException;
import io.parley.resource.Document;
import io.parley.resource.KindId;
import io.parley.resource.Resource;
import io.parley.resource.ResourceKey;
import io.parley.store.ResourceStore;
import io.parley.store.Retention;
import io.parley.store.memory.MemoryStore;
import java.lang.reflect.Proxy;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class SigningKeysTest {
    private final SecureRandom random = new SecureRandom();
    private final ResourceStore store = new MemoryStore(Retention.DEFAULT, Clock.systemUTC());
    private final SealedSecrets secrets = secrets();
    private final SealedSecrets stranger = secrets();

    private SealedSecrets secrets() {
        return new SealedSecrets(store, new MasterKey(MasterKey.generate(random), random));
    }

    private SigningKeys open(SealedSecrets from) {
        return SigningKeys.open(from, Clock.systemUTC(), random);
    }

    @Test
    void aKeyThatCannotBeOpenedIsPassedOverAndItsNumberNotUsedAgain() {
        String first = open(secrets).current().id();
        stranger.put("token-signing-key-7", new byte[] {1});
        secrets.put("token-signing-key-8", new byte[] {0, 0, 0, 9});

        SigningKeys keys = open(secrets);

        assertThat(keys.ids()).containsExactly(first);
        assertThat(keys.replace().id()).isEqualTo("token-signing-key-9");
        assertThat(keys.current().id()).isEqualTo("token-signing-key-9");
    }

    @Test
    void aKeyThatCannotBeOpenedCanBeRetiredAndTheOneThatSignsCannot() {
        SigningKeys keys = open(secrets);
        stranger.put("token-signing-key-7", new byte[] {1});

        assertThat(keys.retire("token-signing-key-7")).isTrue();
        assertThat(keys.retire("token-signing-key-7")).isFalse();
        assertThat(secrets.names()).containsExactly("token-signing-key-1");
        assertThatThrownBy(() -> keys.retire("token-signing-key-1")).hasMessageContaining("signs tokens");
    }

    @Test
    void whoCanOpenNoneHasTheWrongMasterKeyAndMakesNoOther() {
        open(secrets);

        assertThatThrownBy(() -> open(stranger)).isInstanceOf(UnsealException.class);
        assertThat(secrets.names()).containsExactly("token-signing-key-1");
    }

    @Test
    void nobodyElseUsesTheirNames() {
        Admission admission = new Admission(store, new Place.Alone());
        Resource secret =
                Resource.of(new ResourceKey(new KindId("GlobalSecret"), "", "token-signing-key-2"), new Document("{}"));

        assertThat(admission.refusalOfPut(secret, Set.of())).get().isInstanceOf(Refusal.ReadOnly.class);
    }

    /** A revocation comes between the moment when others are read and the moment when they are known. */
    @Test
    void aRevocationIsNotForgottenByAReadingThatBeganBefore() {
        UUID revoked = UUID.randomUUID();
        AtomicReference<Runnable> meanwhile = new AtomicReference<>(() -> {});
        ResourceStore slow = (ResourceStore) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {ResourceStore.class}, (_, method, arguments) -> {
                    Object found = method.invoke(store, arguments);
                    meanwhile.getAndSet(() -> {}).run();
                    return found;
                });
        Revocations revocations = new Revocations(slow, Clock.systemUTC());
        meanwhile.set(() -> revocations.add(revoked));

        assertThat(revocations.contains(revoked.toString())).isTrue();
        assertThat(revocations.contains(revoked.toString())).isTrue();
    }
}
