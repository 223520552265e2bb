package io.parley.link.identity;

import com.google.protobuf.ByteString;
import io.netty.util.concurrent.Future;
import io.parley.link.Backoff;
import io.parley.link.Link;
import io.parley.link.ServiceHandler;
import io.parley.link.Services;
import io.parley.link.client.ClientService;
import io.parley.wire.wrpc.proto.SignCertificateRequest;
import io.parley.wire.wrpc.proto.SignCertificateResponse;
import java.io.ByteArrayInputStream;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code identity} v1 on the node: asks for a certificate if it has none or if it is time, and goes on asking until it gets one. With a
 * third of the old one's life left there is time for that.
 */
public final class IdentityClient {
    private static final Logger log = LoggerFactory.getLogger(IdentityClient.class);
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(30);

    private final Link link;
    private final IdentityHolder holder;
    private final InstantSource time;
    private final RandomGenerator random;
    private @Nullable Future<?> due;
    private int failures;

    private IdentityClient(Link link, IdentityHolder holder, InstantSource time, RandomGenerator random) {
        this.link = link;
        this.holder = holder;
        this.time = time;
        this.random = random;
    }

    public static ClientService service(
            IdentityHolder holder, ClientService.Need need, InstantSource time, RandomGenerator random) {
        return new ClientService(Services.IDENTITY_NAME, Services.V1, Services.IDENTITY, need, link -> {
            var client = new IdentityClient(link, holder, time, random);
            client.begin();
            return new ServiceHandler(client::close);
        });
    }

    private void begin() {
        askAfter(holder.current()
                .map(held -> RenewalSchedule.ofHeld(held, time.instant(), random))
                .orElse(Duration.ZERO));
    }

    private void askAfter(Duration delay) {
        due = link.loop().schedule(this::ask, delay.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void ask() {
        var request = SignCertificateRequest.newBuilder().setCsr(ByteString.copyFrom(holder.newRequest()));
        var _ = link.call(Services.SIGN_CERTIFICATE, request.build(), ANSWER_WITHIN)
                .thenApply(this::install)
                .whenComplete((installed, failure) -> asked(installed, failure));
    }

    private void asked(@Nullable X509Certificate installed, @Nullable Throwable failure) {
        if (link.closed().isDone()) {
            return;
        }
        if (installed != null) {
            failures = 0;
            askAfter(RenewalSchedule.afterIssue(installed, time.instant(), random));
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

    private X509Certificate install(SignCertificateResponse response) {
        List<X509Certificate> chain = parsed(response.getCertificatesList());
        if (chain.isEmpty()) {
            throw new IllegalArgumentException("control plane sent no certificate");
        }
        holder.install(chain, parsed(response.getTrustedList()));
        return chain.getFirst();
    }

    private static List<X509Certificate> parsed(List<ByteString> der) {
        try {
            var factory = CertificateFactory.getInstance("X.509");
            List<X509Certificate> certificates = new ArrayList<>();
            for (ByteString bytes : der) {
                certificates.add(
                        (X509Certificate) factory.generateCertificate(new ByteArrayInputStream(bytes.toByteArray())));
            }
            return certificates;
        } catch (CertificateException e) {
            throw new IllegalArgumentException("control plane sent no certificate: " + e.getMessage(), e);
        }
    }

    private void close() {
        if (due != null) {
            due.cancel(false);
        }
    }
}
