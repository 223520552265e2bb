package io.parley.control.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.parley.control.access.Place;
import io.parley.control.keys.SealedSecrets;
import io.parley.identity.certificate.CertificateAuthority;
import io.parley.identity.certificate.Pem;
import io.parley.identity.seal.MasterKey;
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
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MeshAuthoritiesTest {
    private final SecureRandom random = new SecureRandom();
    private final Clock clock = Clock.systemUTC();
    private final ResourceStore store = new MemoryStore(Retention.DEFAULT, clock);
    private final SealedSecrets secrets = new SealedSecrets(store, new MasterKey(MasterKey.generate(random), random));
    private final MeshAuthorities authorities = new MeshAuthorities(store, secrets, clock, random, new Place.Alone());

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void thereIsNoAuthorityOfAMeshThatDoesNotExist() {
        assertThat(authorities.of("nowhere")).isEmpty();
    }

    @Test
    void aMeshThatNamesNoneHasOneOfItsOwn() {
        mesh("{}");

        MeshTrust trust = trust();

        assertThat(trust.trusted()).containsExactly(trust.signs().certificate());
        assertThat(trust.leafLife()).isEqualTo(Duration.ofHours(24));
        assertThat(new MeshAuthorities(store, secrets, clock, random, new Place.Alone())
                        .of("default")
                        .orElseThrow()
                        .trusted())
                .as("kept, not made anew")
                .isEqualTo(trust.trusted());
    }

    @Test
    void aChangeThatWasUnderWayGoesOnFromWhereItWas() {
        mesh(mtls("ca-1", "{\"name\":\"ca-1\",\"type\":\"builtin\"}"));
        MeshTrust first = trust();
        authorities.memory().keep("default", first);
        mesh(mtls("ca-2", "{\"name\":\"ca-2\",\"type\":\"builtin\"}"));
        MeshTrust wanted = trust();
        authorities.memory().keep("default", first.towards(wanted));

        MeshTrust resumed = authorities.memory().last("default", wanted);
        assertThat(resumed.signs().certificate()).isEqualTo(first.signs().certificate());
        assertThat(resumed.trusted())
                .containsExactlyInAnyOrder(
                        first.signs().certificate(), wanted.signs().certificate());
        authorities.memory().keep("default", wanted);
        assertThat(authorities.memory().last("default", wanted).isTheSameTo(wanted))
                .isTrue();
    }

    @Test
    void anAuthorityIsReplacedInThreeStepsInWhichBothAreTrusted() {
        String first = "{\"name\":\"ca-1\",\"type\":\"builtin\"}";
        String second = "{\"name\":\"ca-2\",\"type\":\"builtin\",\"dpCert\":{\"rotation\":{\"expiration\":\"1h\"}}}";
        mesh(mtls("ca-1", first));
        MeshTrust before = trust();

        mesh(mtls("ca-1", first + "," + second));
        MeshTrust added = trust();
        assertThat(added.signs().certificate()).isEqualTo(before.signs().certificate());
        assertThat(added.trusted()).hasSize(2).containsAll(before.trusted());

        mesh(mtls("ca-2", first + "," + second));
        MeshTrust switched = trust();
        assertThat(switched.backend()).isEqualTo("ca-2");
        assertThat(switched.leafLife()).isEqualTo(Duration.ofHours(1));
        assertThat(switched.trusted()).containsExactlyInAnyOrderElementsOf(added.trusted());

        mesh(mtls("ca-2", second));
        assertThat(trust().trusted()).containsExactly(switched.signs().certificate());
    }

    @Test
    void whatIsReplacedAtOnceIsBroughtToMembersInThreeSteps() {
        mesh("{}");
        MeshTrust old = trust();
        mesh(mtls("ca-1", "{\"name\":\"ca-1\",\"type\":\"builtin\"}"));
        MeshTrust wanted = trust();

        MeshTrust believed = old.towards(wanted);
        assertThat(believed.signs()).isEqualTo(old.signs());
        assertThat(believed.trusted()).containsExactlyInAnyOrder(cert(old), cert(wanted));

        MeshTrust signed = believed.towards(wanted);
        assertThat(signed.signs()).isEqualTo(wanted.signs());
        assertThat(signed.trusted()).isEqualTo(believed.trusted());

        assertThat(signed.towards(wanted)).isEqualTo(wanted);
        assertThat(wanted.towards(wanted).isTheSameTo(wanted)).isTrue();
    }

    private static X509Certificate cert(MeshTrust trust) {
        return trust.signs().certificate();
    }

    @Test
    void aProvidedAuthorityComesInlineOrFromSecrets() {
        CertificateAuthority mine = CertificateAuthority.create("mine", Duration.ofDays(1), clock, random);
        put("Secret", "default", "my-key", "{\"data\":\"" + base64(Pem.encode(mine.privateKey())) + "\"}");
        mesh(mtls(
                "own",
                "{\"name\":\"own\",\"type\":\"provided\",\"conf\":{\"cert\":{\"inline\":\""
                        + base64(Pem.encode(mine.certificate())) + "\"},\"key\":{\"secret\":\"my-key\"}}}"));

        assertThat(trust().signs().certificate()).isEqualTo(mine.certificate());
    }

    @Test
    void anAuthorityThatCannotSignIsNamedWithItsField() {
        mesh(mtls("own", "{\"name\":\"own\",\"type\":\"provided\",\"conf\":{\"cert\":{\"secret\":\"absent\"}}}"));
        assertThatThrownBy(this::trust)
                .isInstanceOf(AuthorityException.class)
                .hasMessageContaining("mtls.backends[own].conf.cert.secret: absent");

        mesh(mtls("own", "{\"name\":\"own\",\"type\":\"vault\"}"));
        assertThatThrownBy(this::trust).hasMessageContaining("vault (expected: builtin or provided)");
    }

    @Test
    void aZoneUsesTheAuthorityThatGlobalMadeAndNoneOfItsOwn() {
        String builtin = mtls("ca-1", "{\"name\":\"ca-1\",\"type\":\"builtin\"}");
        mesh(builtin);
        MeshTrust before = trust();
        authorities.share("default", "ca-1");
        assertThat(trust().trusted())
                .as("what was global's own is shared, not replaced")
                .isEqualTo(before.trusted());

        try (ResourceStore zone = new MemoryStore(Retention.DEFAULT, clock)) {
            var there = new MeshAuthorities(
                    zone,
                    new SealedSecrets(zone, new MasterKey(MasterKey.generate(random), random)),
                    clock,
                    random,
                    new Place.Zone("zone-1"));
            zone.put(
                    Resource.of(new ResourceKey(new KindId("Mesh"), "", "default"), Document.EMPTY), Expected.absent());
            assertThatThrownBy(() -> there.of("default")).hasMessageContaining("not global's");
            Map<String, String> copied = Map.of("kuma.io/origin", "global");
            zone.put(
                    Resource.of(new ResourceKey(new KindId("Mesh"), "", "default"), new Document(builtin))
                            .withLabels(copied),
                    Expected.anything());
            assertThatThrownBy(() -> there.of("default")).hasMessageContaining("has not come from there yet");

            for (String secret : List.of("default.ca-builtin-cert-ca-1", "default.ca-builtin-key-ca-1")) {
                ResourceKey key = new ResourceKey(new KindId("Secret"), "default", secret);
                zone.put(store.find(key).orElseThrow().resource().withLabels(copied), Expected.anything());
            }

            assertThat(there.of("default").orElseThrow().trusted()).isEqualTo(before.trusted());
        }
    }

    private MeshTrust trust() {
        return authorities.of("default").orElseThrow();
    }

    private void mesh(String spec) {
        put("Mesh", "", "default", spec);
    }

    private void put(String kind, String space, String name, String spec) {
        ResourceKey key = new ResourceKey(new KindId(kind), space, name);
        store.put(Resource.of(key, new Document(spec)), Expected.anything());
    }

    private static String mtls(String enabled, String backends) {
        return "{\"mtls\":{\"enabledBackend\":\"" + enabled + "\",\"backends\":[" + backends + "]}}";
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
    }
}
