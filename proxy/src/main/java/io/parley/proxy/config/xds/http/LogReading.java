package io.parley.proxy.config.xds.http;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import io.envoyproxy.envoy.config.accesslog.v3.AccessLog;
import io.envoyproxy.envoy.config.core.v3.DataSource;
import io.envoyproxy.envoy.config.core.v3.SubstitutionFormatString;
import io.envoyproxy.envoy.extensions.access_loggers.file.v3.FileAccessLog;
import io.envoyproxy.envoy.extensions.access_loggers.open_telemetry.v3.OpenTelemetryAccessLogConfig;
import io.envoyproxy.envoy.extensions.access_loggers.stream.v3.StdoutAccessLog;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.common.v1.KeyValueList;
import io.parley.proxy.log.LineFormat;
import io.parley.proxy.log.LogConfig;
import io.parley.proxy.log.LogConfig.Place;
import io.parley.proxy.log.Template;
import io.parley.proxy.log.Template.Absence;
import io.parley.resource.Result;
import java.net.URI;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/** Reads what is told of requests and connections when they are over. */
public final class LogReading {
    private static final String STDOUT = "/dev/stdout";
    private static final String TCP = "tcp://";
    private static final String USUAL =
            "[%START_TIME%] \"%REQ(:METHOD)% %REQ(X-ENVOY-ORIGINAL-PATH?:PATH)% %PROTOCOL%\""
                    + " %RESPONSE_CODE% %RESPONSE_FLAGS% %BYTES_RECEIVED% %BYTES_SENT% %DURATION%"
                    + " %RESP(X-ENVOY-UPSTREAM-SERVICE-TIME)% \"%REQ(X-FORWARDED-FOR)%\" \"%REQ(USER-AGENT)%\""
                    + " \"%REQ(X-REQUEST-ID)%\" \"%REQ(:AUTHORITY)%\" \"%UPSTREAM_HOST%\"\n";

    private LogReading() {}

    /** Reads a list of access loggers, which is called {@code access_log} wherever there is one. */
    public static List<LogConfig> logs(List<AccessLog> loggers, Problems problems) {
        List<LogConfig> logs = new ArrayList<>();
        for (int i = 0; i < loggers.size(); i++) {
            Problems here = problems.under("access_log[" + i + "].typed_config");
            try {
                logs.add(log(loggers.get(i).getTypedConfig(), here));
            } catch (InvalidProtocolBufferException e) {
                here.add("", "unreadable: " + e.getMessage());
            }
        }
        return logs;
    }

    private static LogConfig log(Any config, Problems problems) throws InvalidProtocolBufferException {
        if (config.is(OpenTelemetryAccessLogConfig.class)) {
            return records(config.unpack(OpenTelemetryAccessLogConfig.class), problems);
        }
        if (config.is(StdoutAccessLog.class)) {
            StdoutAccessLog out = config.unpack(StdoutAccessLog.class);
            return new LogConfig.Lines(
                    new Place.File(STDOUT), format(out.getLogFormat(), problems.under("log_format")));
        }
        if (config.is(FileAccessLog.class)) {
            return lines(config.unpack(FileAccessLog.class), problems);
        }
        problems.add("", config.getTypeUrl() + " (expected: file, stdout or open_telemetry)");
        return new LogConfig.Lines(new Place.File(STDOUT), text("", Absence.SHOWN, problems));
    }

    @SuppressWarnings("deprecation") // Old control planes write the old field.
    private static LogConfig lines(FileAccessLog file, Problems problems) {
        LineFormat format = file.hasFormat()
                ? text(file.getFormat(), Absence.SHOWN, problems.under("format"))
                : format(file.getLogFormat(), problems.under("log_format"));
        return new LogConfig.Lines(place(file.getPath(), problems.under("path")), format);
    }

    /** A file, or with {@code tcp://} whoever listens there. */
    private static Place place(String path, Problems problems) {
        if (path.startsWith(TCP)) {
            URI uri = URI.create("tcp://invalid");
            try {
                uri = URI.create(path);
            } catch (IllegalArgumentException e) {
                // Told below, as it has no port.
            }
            if (uri.getHost() == null || uri.getPort() < 1 || uri.getPort() > 65_535) {
                problems.add("", path + " (expected: tcp://HOST:PORT)");
                return new Place.Tcp("", 0);
            }
            return new Place.Tcp(uri.getHost().replaceAll("^\\[|]$", ""), uri.getPort());
        }
        try {
            if (Path.of(path).isAbsolute()) {
                return new Place.File(path);
            }
        } catch (InvalidPathException e) {
            // Told below: no such path can be absolute.
        }
        problems.add("", path + " (expected: an absolute path, or tcp://HOST:PORT)");
        return new Place.File(STDOUT);
    }

    @SuppressWarnings("deprecation") // Old control planes write the old field.
    private static LineFormat format(SubstitutionFormatString format, Problems problems) {
        Absence absence = format.getOmitEmptyValues() ? Absence.OMITTED : Absence.SHOWN;
        return switch (format.getFormatCase()) {
            case TEXT_FORMAT -> text(format.getTextFormat(), absence, problems.under("text_format"));
            case TEXT_FORMAT_SOURCE ->
                text(source(format.getTextFormatSource()), absence, problems.under("text_format_source"));
            case JSON_FORMAT -> json(format.getJsonFormat(), absence, problems.under("json_format"));
            case FORMAT_NOT_SET -> text(USUAL, absence, problems);
        };
    }

    private static String source(DataSource source) {
        return source.hasInlineString()
                ? source.getInlineString()
                : source.getInlineBytes().toStringUtf8();
    }

    private static LineFormat text(String template, Absence absence, Problems problems) {
        return new LineFormat.Text(template(template, problems), absence);
    }

    private static LineFormat json(Struct format, Absence absence, Problems problems) {
        List<LineFormat.Member> members = new ArrayList<>();
        format.getFieldsMap().forEach((name, value) -> {
            Problems here = problems.under("fields[" + name + "]");
            if (value.getKindCase() != Value.KindCase.STRING_VALUE) {
                here.add("", value.getKindCase() + " (expected: a text with commands)");
            }
            members.add(new LineFormat.Member(name, template(value.getStringValue(), here)));
        });
        return new LineFormat.Json(members, absence);
    }

    private static LogConfig records(OpenTelemetryAccessLogConfig config, Problems problems) {
        List<LineFormat.Member> attributes = new ArrayList<>();
        texts(
                config.getAttributes(),
                problems.under("attributes"),
                (name, value) -> attributes.add(
                        new LineFormat.Member(name, template(value, problems.under("attributes[" + name + "]")))));
        Map<String, String> resource = new HashMap<>();
        texts(config.getResourceAttributes(), problems.under("resource_attributes"), resource::put);
        String cluster = TraceReader.cluster(
                config.getCommonConfig().getGrpcService(), problems.under("common_config.grpc_service"));
        return new LogConfig.Records(
                new LogConfig.Origin(cluster, resource),
                config.hasBody() ? BodyReading.body(config.getBody(), problems.under("body")) : null,
                attributes);
    }

    private static void texts(KeyValueList list, Problems problems, BiConsumer<String, String> texts) {
        for (KeyValue each : list.getValuesList()) {
            if (each.getValue().getValueCase() != AnyValue.ValueCase.STRING_VALUE) {
                problems.under("values[" + each.getKey() + "]")
                        .add("", each.getValue().getValueCase() + " (expected: string_value)");
            }
            texts.accept(each.getKey(), each.getValue().getStringValue());
        }
    }

    static Template template(String text, Problems problems) {
        return switch (Template.parse(text)) {
            case Result.Accepted<Template>(var template) -> template;
            case Result.Rejected<Template>(var violations) -> {
                violations.forEach(violation -> problems.add("", violation.message()));
                yield new Template(List.of());
            }
        };
    }
}
