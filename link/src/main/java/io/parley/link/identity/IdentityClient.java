package io.parley.link.identity;

import com.google.protobuf.ByteString;
import io.netty.util.concurrent.Future;
import io.parley.identity.certificate.SpiffeId;
import io.parley.link.Backoff;
import io.parley.link.Link;
import io.parley.link.ServiceHandler;
import io.parley.link.Services;
import io.parley.link.client.ClientService;
import io.parley.wire.wrpc.proto.FollowTrustRequest;
import io.parley.wire.wrpc.proto.SignCertificateRequest;
import io.parley.wire.wrpc.proto.SignCertificateResponse;
import io.parley.wire.wrpc.proto.TrustRequest;
import io.parley.wire.wrpc.proto.TrustResponse;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code identity} v1 on the node: asks for a certificate if it has none, if it is time, or if the control plane says that it should be another, and goes
 * on asking until it gets one. With a third of the old one's life left there is time for that.
 */
public final class IdentityClient {
    private static final Logger log = LoggerFactory.getLogger(IdentityClient.class);
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(30);

    private final Link link;
    private final IdentityHolder holder;
    private final InstantSource time;
    private final RandomGenerator random;
    private @Nullable Future<?> due;
    private @Nullable Trust told;
    private CompletableFuture<Void> renewed = new CompletableFuture<>();
    private boolean asking;
    private int failures;

    private IdentityClient(Link link, IdentityHolder holder, InstantSource time, RandomGenerator random) {
        this.link = link;
        this.holder = holder;
        this.time = time;
        this.random = random;
    }

    /** Asks for nothing before {@code known} is done: the control plane refuses those whom it does not know yet. */
    public static ClientService service(
            IdentityHolder holder,
            CompletionStage<?> known,
            ClientService.Need need,
            InstantSource time,
            RandomGenerator random) {
        return new ClientService(Services.IDENTITY_NAME, Services.V1, Services.IDENTITY, need, link -> {
            var client = new IdentityClient(link, holder, time, random);
            var _ = known.thenRunAsync(client::begin, link.loop());
            return new ServiceHandler(client::close).on(Services.TRUST, client::trust);
        });
    }

    private void begin() {
        if (link.closed().isDone()) {
            return;
        }
        var _ = link.call(Services.FOLLOW_TRUST, FollowTrustRequest.getDefaultInstance(), ANSWER_WITHIN)
                .exceptionally(failure -> {
                    log.debug("other authorities are seen at the next renewal only: {}", failure.getMessage());
                    return null;
                });
        askAfter(holder.current()
                .map(held -> RenewalSchedule.ofHeld(held, time.instant(), random))
                .orElse(Duration.ZERO));
    }

    private CompletableFuture<TrustResponse> trust(TrustRequest request) {
        Trust now = new Trust(
                Der.certificates(request.getTrustedList()),
                Der.certificates(List.of(request.getSigns())).getFirst(),
                request.getNamesList().stream().map(SpiffeId::parse).toList());
        told = now;
        holder.trust(now.trusted());
        if (holder.current().isEmpty() || isKept(now)) {
            return settled();
        }
        if (!asking) {
            cancel();
            ask();
        }
        return renewed.thenCompose(_ -> settled());
    }

    private CompletableFuture<TrustResponse> settled() {
        return holder.settled().thenApply(_ -> TrustResponse.getDefaultInstance());
    }

    private boolean isKept(Trust now) {
        return holder.current().filter(now::isKeptBy).isPresent();
    }

    private void askAfter(Duration delay) {
        due = link.loop().schedule(this::ask, delay.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void ask() {
        asking = true;
        var request = SignCertificateRequest.newBuilder().setCsr(ByteString.copyFrom(holder.newRequest()));
        var _ = link.call(Services.SIGN_CERTIFICATE, request.build(), ANSWER_WITHIN)
                .thenApply(this::install)
                .whenComplete((installed, failure) -> asked(installed, failure));
    }

    private void asked(@Nullable X509Certificate installed, @Nullable Throwable failure) {
        asking = false;
        if (link.closed().isDone()) {
            return;
        }
        if (installed != null) {
            failures = 0;
            askAfter(afterIssue(installed));
            return;
        }
        failures++;
        Duration delay = Backoff.RENEWAL.after(failures, random);
        log.warn(
                "no certificate: {}; asking again in {} s",
                failure == null ? "no answer" : failure.getMessage(),
                delay.toSeconds());
        askAfter(delay);
    }

    /** What was signed before the last change, and came after it, is used and soon replaced. */
    private Duration afterIssue(X509Certificate installed) {
        Trust now = told;
        if (now != null && !isKept(now)) {
            return RenewalSchedule.SOONEST;
        }
        renewed.complete(null);
        renewed = new CompletableFuture<>();
        return RenewalSchedule.afterIssue(installed, time.instant(), random);
    }

    private X509Certificate install(SignCertificateResponse response) {
        List<X509Certificate> chain = Der.certificates(response.getCertificatesList());
        if (chain.isEmpty()) {
            throw new IllegalArgumentException("control plane sent no certificate");
        }
        // What the node was told meanwhile is newer than what holds for an answer on its way.
        Trust now = told;
        holder.install(chain, now == null ? Der.certificates(response.getTrustedList()) : now.trusted());
        return chain.getFirst();
    }

    private void cancel() {
        if (due != null) {
            due.cancel(false);
        }
    }

    private void close() {
        cancel();
    }
}
