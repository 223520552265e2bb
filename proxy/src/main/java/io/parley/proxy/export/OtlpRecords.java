package io.parley.proxy.export;

import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.common.v1.InstrumentationScope;
import io.opentelemetry.proto.logs.v1.LogRecord;
import io.opentelemetry.proto.logs.v1.ResourceLogs;
import io.opentelemetry.proto.logs.v1.ScopeLogs;
import io.opentelemetry.proto.resource.v1.Resource;
import io.parley.proxy.log.Entry;
import io.parley.proxy.log.LogConfig;
import io.parley.proxy.log.Template.Absence;
import io.parley.proxy.trace.OtlpSpans;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Entries of logs in the words of OpenTelemetry's protocol. */
final class OtlpRecords {
    static final String METHOD = "/opentelemetry.proto.collector.logs.v1.LogsService/Export";

    private OtlpRecords() {}

    /** An entry as one who wants to hear of it asked for it. */
    record Item(LogConfig.Records log, Entry entry) {}

    static ExportLogsServiceRequest request(Map<String, String> resource, List<Item> items) {
        ScopeLogs.Builder scope = ScopeLogs.newBuilder()
                .setScope(InstrumentationScope.newBuilder().setName("parley"));
        items.forEach(item -> scope.addLogRecords(logRecord(item.log, item.entry)));
        Resource.Builder whose = Resource.newBuilder();
        resource.forEach((name, value) -> whose.addAttributes(OtlpSpans.attribute(name, value)));
        return ExportLogsServiceRequest.newBuilder()
                .addResourceLogs(ResourceLogs.newBuilder().setResource(whose).addScopeLogs(scope))
                .build();
    }

    private static LogRecord logRecord(LogConfig.Records log, Entry entry) {
        Instant start = entry.start();
        LogRecord.Builder out = LogRecord.newBuilder()
                .setTimeUnixNano(TimeUnit.SECONDS.toNanos(start.getEpochSecond()) + start.getNano());
        if (log.body() != null) {
            out.setBody(log.body().of(entry));
        }
        log.attributes()
                .forEach(attribute -> out.addAttributes(
                        OtlpSpans.attribute(attribute.name(), attribute.value().text(entry, Absence.SHOWN))));
        return out.build();
    }
}
