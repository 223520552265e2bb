package io.parley.link.telemetry;

import io.parley.agreement.version.OfferedVersion;
import io.parley.link.ServiceHandler;
import io.parley.link.Services;
import io.parley.link.server.ServiceBinding;
import io.parley.wire.wrpc.proto.ReportResponse;
import java.util.concurrent.CompletableFuture;

/** {@code telemetry} v1 on the control plane. */
public final class TelemetryServer {
    private TelemetryServer() {}

    public static ServiceBinding binding(TelemetrySink sink) {
        return new ServiceBinding(
                Services.TELEMETRY_NAME,
                OfferedVersion.of(Services.V1),
                Services.TELEMETRY,
                node -> new ServiceHandler(() -> {}).on(Services.REPORT, report -> {
                    sink.report(node, ReportMessages.read(report));
                    return CompletableFuture.completedFuture(ReportResponse.getDefaultInstance());
                }));
    }
}
