package io.parley.link.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.parley.identity.certificate.CertificateAuthority;
import io.parley.identity.certificate.KeyPairs;
import io.parley.identity.certificate.SpiffeId;
import io.parley.link.CallRefusal;
import io.parley.link.Link;
import io.parley.link.ServiceHandler;
import io.parley.link.Services;
import io.parley.link.client.ClientService;
import io.parley.link.client.LinkClientListener;
import io.parley.link.fixture.Pki;
import io.parley.link.fixture.TestControlPlane;
import io.parley.link.fixture.TestNodes;
import io.parley.link.server.LinkListener;
import io.parley.link.server.NodeLink;
import io.parley.wire.wrpc.proto.FollowTrustRequest;
import java.security.KeyPair;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class IdentityServiceTest {
    private static final Pki PKI = new Pki();
    private static final KeyPair KEYS = KeyPairs.generate(new SecureRandom());

    @Test
    void aNodeGetsItsCertificateAndAnotherWhenSeventyPercentAreOver() {
        var asked = new CopyOnWriteArrayList<String>();
        CertificateIssuer issuer = (node, csr) -> {
            asked.add(node.node().id() + " " + csr.length);
            // The first is soon over; the second one lasts.
            return CompletableFuture.completedFuture(new CertificateIssuer.Issued(
                    List.of(certificate(asked.size() == 1 ? Duration.ofSeconds(2) : Duration.ofHours(1))),
                    List.of(PKI.authority().certificate())));
        };
        var holder = new Holder();
        try (var controlPlane =
                        TestControlPlane.start(PKI, List.of(IdentityServer.binding(issuer)), LinkListener.NONE);
                var nodes = new TestNodes(PKI)) {
            nodes.start(controlPlane.port(), "n", service(holder), LinkClientListener.NONE);

            await().until(() -> holder.installed.size() == 2);
        }
        assertThat(asked).containsExactly("n 3", "n 3");
    }

    @Test
    void aRefusalIsNotTheEndOfTheLink() {
        var asked = new AtomicInteger();
        CertificateIssuer issuer = (_, _) -> {
            asked.incrementAndGet();
            throw CallRefusal.because("csr: names another service");
        };
        try (var controlPlane =
                        TestControlPlane.start(PKI, List.of(IdentityServer.binding(issuer)), LinkListener.NONE);
                var nodes = new TestNodes(PKI)) {
            nodes.start(controlPlane.port(), "n", service(new Holder()), LinkClientListener.NONE);

            await().until(() -> asked.get() >= 1);
            assertThat(controlPlane.endpoint().nodes()).hasSize(1);
        }
    }

    /** Signs with whatever authority a test says, and tells the node that follows. */
    private static final class Changing implements CertificateIssuer {
        final AtomicReference<NodeLink> follower = new AtomicReference<>();
        final CertificateAuthority first = PKI.authority();
        final CertificateAuthority second =
                CertificateAuthority.create("second", Duration.ofDays(1), Clock.systemUTC(), new SecureRandom());
        volatile CertificateAuthority signs = first;

        @Override
        public CompletableFuture<Issued> issue(NodeLink node, byte[] csr) {
            X509Certificate leaf =
                    signs.issueWorkload(SpiffeId.ofService("default", "web"), KEYS.getPublic(), Duration.ofHours(1));
            return CompletableFuture.completedFuture(new Issued(List.of(leaf), List.of(signs.certificate())));
        }

        @Override
        public void followed(NodeLink node) {
            follower.set(node);
        }

        CompletableFuture<Void> tell(List<X509Certificate> trusted) {
            NodeLink node = await().until(follower::get, Objects::nonNull);
            return IdentityServer.tell(
                    node, new Trust(trusted, signs.certificate(), List.of(SpiffeId.ofService("default", "web"))));
        }
    }

    @Test
    void aNodeThatIsToldOfAnotherAuthorityBelievesItAndAsksAgainOnlyIfThatOneSigns() throws Exception {
        var issuer = new Changing();
        var holder = new Holder();
        try (var controlPlane =
                        TestControlPlane.start(PKI, List.of(IdentityServer.binding(issuer)), LinkListener.NONE);
                var nodes = new TestNodes(PKI)) {
            nodes.start(controlPlane.port(), "n", service(holder), LinkClientListener.NONE);
            await().until(() -> holder.installed.size() == 1);
            List<X509Certificate> both = List.of(issuer.first.certificate(), issuer.second.certificate());

            issuer.tell(both).get(30, TimeUnit.SECONDS);
            assertThat(holder.trusted).isEqualTo(both);
            assertThat(holder.installed).hasSize(1);

            issuer.signs = issuer.second;
            issuer.tell(both).get(30, TimeUnit.SECONDS);
            assertThat(holder.installed).hasSize(2);
            holder.installed.getLast().verify(issuer.second.certificate().getPublicKey());
            assertThat(holder.trusted)
                    .as("not what the answer said, which is older")
                    .isEqualTo(both);
        }
    }

    @Test
    void aNodeThatKnowsNothingOfChangesKeepsItsLink() {
        var issuer = new Changing();
        try (var controlPlane =
                        TestControlPlane.start(PKI, List.of(IdentityServer.binding(issuer)), LinkListener.NONE);
                var nodes = new TestNodes(PKI)) {
            var link = new AtomicReference<Link>();
            var old = new ClientService("identity", "v1", 32, ClientService.Need.REQUIRED, opened -> {
                link.set(opened);
                return new ServiceHandler(() -> {});
            });
            nodes.start(controlPlane.port(), "n", List.of(old), LinkClientListener.NONE);
            await().until(() -> link.get() != null);

            assertThat(link.get()
                            .call(
                                    Services.FOLLOW_TRUST,
                                    FollowTrustRequest.getDefaultInstance(),
                                    Duration.ofSeconds(30)))
                    .succeedsWithin(Duration.ofSeconds(30));
            assertThat(issuer.tell(List.of(PKI.authority().certificate())))
                    .failsWithin(Duration.ofSeconds(30))
                    .withThrowableThat()
                    .withMessageContaining("unknown procedure");
            assertThat(controlPlane.endpoint().nodes()).hasSize(1);
        }
    }

    @Test
    void renewalIsDueBetween65And70PercentOfTheLife() {
        X509Certificate certificate = certificate(Duration.ofHours(10));
        Instant from = certificate.getNotBefore().toInstant();
        long life =
                Duration.between(from, certificate.getNotAfter().toInstant()).toMillis();
        var random = new SplittableRandom(3);
        for (int i = 0; i < 100; i++) {
            long delay = RenewalSchedule.ofHeld(certificate, from, random).toMillis();
            assertThat((double) delay / life).isBetween(0.649, 0.701);
        }
        assertThat(RenewalSchedule.ofHeld(certificate, certificate.getNotAfter().toInstant(), random))
                .isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void aCertificateThatLastsAMinuteIsUsedForMostOfItHoweverFarItIsDatedBack() {
        X509Certificate certificate = certificate(Duration.ofMinutes(1));
        Instant now = certificate.getNotAfter().toInstant().minusSeconds(60);
        assertThat(certificate.getNotBefore().toInstant()).isBefore(now.minusSeconds(120));
        var random = new SplittableRandom(5);
        for (int i = 0; i < 100; i++) {
            Duration delay = RenewalSchedule.afterIssue(certificate, now, random);
            assertThat(delay).isBetween(Duration.ofSeconds(38), Duration.ofSeconds(43));
        }
    }

    @Test
    void evenACertificateThatIsOverAtOnceIsNotRenewedMoreOftenThanEverySecond() {
        X509Certificate certificate = certificate(Duration.ofSeconds(1));
        Instant end = certificate.getNotAfter().toInstant();
        var random = new SplittableRandom(6);

        assertThat(RenewalSchedule.afterIssue(certificate, end.minusMillis(100), random))
                .isEqualTo(Duration.ofSeconds(1));
        assertThat(RenewalSchedule.afterIssue(certificate, end.plusSeconds(60), random))
                .isEqualTo(Duration.ofSeconds(1));
    }

    private static X509Certificate certificate(Duration validFor) {
        return PKI.authority().issueWorkload(SpiffeId.ofService("default", "web"), KEYS.getPublic(), validFor);
    }

    private static List<ClientService> service(IdentityHolder holder) {
        return List.of(IdentityClient.service(
                holder,
                CompletableFuture.completedStage(null),
                ClientService.Need.REQUIRED,
                Clock.systemUTC(),
                new SplittableRandom(4)));
    }

    private static final class Holder implements IdentityHolder {
        final List<X509Certificate> installed = new CopyOnWriteArrayList<>();
        volatile List<X509Certificate> trusted = List.of();

        @Override
        public Optional<X509Certificate> current() {
            return installed.isEmpty() ? Optional.empty() : Optional.of(installed.getLast());
        }

        @Override
        public byte[] newRequest() {
            return new byte[] {1, 2, 3};
        }

        @Override
        public void install(List<X509Certificate> chain, List<X509Certificate> authorities) {
            trust(authorities);
            installed.add(chain.getFirst());
        }

        @Override
        public void trust(List<X509Certificate> authorities) {
            trusted = List.copyOf(authorities);
        }

        @Override
        public CompletableFuture<Void> settled() {
            return CompletableFuture.completedFuture(null);
        }
    }
}
