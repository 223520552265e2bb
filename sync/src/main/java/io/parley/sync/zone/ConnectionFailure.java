package io.parley.sync.zone;

import io.grpc.Status;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;

/** Why global was not reached or let go of this zone, for people: gRPC's own text hides the cause and shows its pipeline instead. */
record ConnectionFailure(Channels global, Status status) {
    /** What gRPC says of any exception of its socket. */
    private static final String OF_THE_TRANSPORT = "io exception";

    /** One line. */
    String text() {
        if (find(CertPathBuilderException.class).isPresent()
                || find(CertPathValidatorException.class).isPresent()) {
            return "global's certificate is not trusted: " + deepest() + "; " + remedy();
        }
        if (find(CertificateException.class).isPresent()) {
            return "global's certificate is not good for " + global.url().getHost() + ": " + deepest()
                    + "; start global with --host-name " + global.url().getHost() + ", or reach it by another name";
        }
        if (find(SSLException.class).isPresent()) {
            return "no TLS with " + global.url() + ": " + deepest() + " (expected: global's --listen address)";
        }
        if (description().startsWith(OF_THE_TRANSPORT)) {
            return "no connection to " + global.url() + ": " + deepest();
        }
        return status.getCode() + (description().isEmpty() ? "" : ": " + firstLine(description()));
    }

    private String description() {
        return status.getDescription() == null ? "" : status.getDescription();
    }

    private String remedy() {
        return global.ca() == null
                ? "give --global-ca FILE (global's DIR/ca.pem)"
                : "it was signed by another authority than that of --global-ca " + global.ca()
                        + " (expected: global's DIR/ca.pem)";
    }

    private Stream<Throwable> causes() {
        return Stream.iterate(
                        Optional.ofNullable(status.getCause()),
                        Optional::isPresent,
                        cause -> cause.map(Throwable::getCause))
                .flatMap(Optional::stream);
    }

    private Optional<? extends Throwable> find(Class<? extends Throwable> type) {
        return causes().filter(type::isInstance).findFirst();
    }

    /** The last cause is what happened; those before it say where it was noticed. */
    private String deepest() {
        return causes().reduce((_, later) -> later)
                .map(cause -> cause.getMessage() == null ? cause.toString() : firstLine(cause.getMessage()))
                .orElse("");
    }

    private static String firstLine(String text) {
        return text.lines().findFirst().orElse("");
    }
}
