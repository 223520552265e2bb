package io.parley.link.telemetry;

import io.netty.util.concurrent.Future;
import io.parley.link.Link;
import io.parley.link.LinkException;
import io.parley.link.ServiceHandler;
import io.parley.link.Services;
import io.parley.link.client.ClientService;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code telemetry} v1 on the node: reports at once and then from time to time. A report that is lost is followed by another. */
public final class TelemetryClient {
    private static final Logger log = LoggerFactory.getLogger(TelemetryClient.class);
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(10);

    private TelemetryClient() {}

    public static ClientService service(Supplier<NodeReport> report, Duration every, ClientService.Need need) {
        return new ClientService(Services.TELEMETRY_NAME, Services.V1, Services.TELEMETRY, need, link -> {
            Future<?> reports = link.loop()
                    .scheduleAtFixedRate(() -> send(link, report.get()), 0, every.toMillis(), TimeUnit.MILLISECONDS);
            return new ServiceHandler(() -> reports.cancel(false));
        });
    }

    private static void send(Link link, NodeReport report) {
        var _ = link.call(Services.REPORT, ReportMessages.write(report), ANSWER_WITHIN)
                .exceptionally(failure -> {
                    if (!isEndOfLink(failure)) {
                        log.warn("report not taken: {}", failure.getMessage());
                    }
                    return null;
                });
    }

    /** A link that ends takes a report with it that is under way, and has said why it ends. */
    private static boolean isEndOfLink(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return cause instanceof LinkException link && link.kind() == LinkException.Kind.CLOSED;
    }
}
