package io.parley.control.policy.accesslog;

import static io.parley.control.draft.Protos.any;

import com.google.protobuf.ByteString;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import io.envoyproxy.envoy.config.accesslog.v3.AccessLog;
import io.envoyproxy.envoy.config.core.v3.ApiVersion;
import io.envoyproxy.envoy.config.core.v3.SubstitutionFormatString;
import io.envoyproxy.envoy.extensions.access_loggers.file.v3.FileAccessLog;
import io.envoyproxy.envoy.extensions.access_loggers.open_telemetry.v3.OpenTelemetryAccessLogConfig;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.parley.control.draft.Collectors;
import io.parley.control.draft.Flavor;
import io.parley.control.draft.ProxyDraft;
import io.parley.resource.policy.accesslog.AccessLog.Backend;
import io.parley.resource.policy.accesslog.AccessLog.File;
import io.parley.resource.policy.accesslog.AccessLog.OpenTelemetry;
import io.parley.resource.policy.accesslog.AccessLog.Tcp;
import io.parley.resource.policy.accesslog.Format;
import io.parley.resource.policy.accesslog.LogBody;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Backends of logs in the words of Envoy. */
final class Loggers {
    /** What an entry is about. */
    enum Entry {
        CONNECTION("[%START_TIME%] %RESPONSE_FLAGS% %KUMA_MESH%"
            + " %KUMA_SOURCE_ADDRESS_WITHOUT_PORT%(%KUMA_SOURCE_SERVICE%)->%UPSTREAM_HOST%(%KUMA_DESTINATION_SERVICE%)"
            + " took %DURATION%ms, sent %BYTES_SENT% bytes, received: %BYTES_RECEIVED% bytes\n"),
        REQUEST("[%START_TIME%] %KUMA_MESH% \"%REQ(:METHOD)% %REQ(X-ENVOY-ORIGINAL-PATH?:PATH)% %PROTOCOL%\""
                + " %RESPONSE_CODE% %RESPONSE_FLAGS% %BYTES_RECEIVED% %BYTES_SENT% %DURATION%"
                + " \"%REQ(X-FORWARDED-FOR)%\" \"%REQ(USER-AGENT)%\" \"%REQ(X-REQUEST-ID)%\""
                + " \"%KUMA_SOURCE_SERVICE%\" \"%KUMA_DESTINATION_SERVICE%\" \"%UPSTREAM_HOST%\"\n");

        private final String usual;

        Entry(String usual) {
            this.usual = usual;
        }
    }

    private final ProxyDraft draft;
    private final AccessLogEffect.Traffic traffic;

    Loggers(ProxyDraft draft, AccessLogEffect.Traffic traffic) {
        this.draft = draft;
        this.traffic = traffic;
    }

    List<AccessLog> of(io.parley.resource.policy.accesslog.AccessLog log, Entry entry) {
        return log.backends().stream()
                .flatMap(backend -> of(backend, entry).stream())
                .toList();
    }

    private Optional<AccessLog> of(Backend backend, Entry entry) {
        return switch (backend) {
            case File(String path, Format format) -> Optional.of(file(path, format, entry));
            // Envoy has no such logger; ours knows the scheme.
            case Tcp(String address, Format format) ->
                draft.flavor() == Flavor.PARLEY
                        ? Optional.of(file("tcp://" + address, format, entry))
                        : Optional.empty();
            case OpenTelemetry collector -> openTelemetry(collector);
        };
    }

    private AccessLog file(String path, @Nullable Format format, Entry entry) {
        FileAccessLog file = FileAccessLog.newBuilder()
                .setPath(path)
                .setLogFormat(format(format, entry))
                .build();
        return AccessLog.newBuilder()
                .setName("envoy.access_loggers.file")
                .setTypedConfig(any(file))
                .build();
    }

    private SubstitutionFormatString format(@Nullable Format format, Entry entry) {
        SubstitutionFormatString.Builder written = SubstitutionFormatString.newBuilder();
        switch (format) {
            case null -> written.getTextFormatSourceBuilder().setInlineString(filled(entry.usual));
            case Format.Plain(String template, boolean omitEmpty) -> {
                written.getTextFormatSourceBuilder().setInlineString(filled(template) + "\n");
                written.setOmitEmptyValues(omitEmpty);
            }
            case Format.Json(var members, boolean omitEmpty) -> {
                Struct.Builder json = written.getJsonFormatBuilder();
                members.forEach(member -> json.putFields(
                        member.key(),
                        Value.newBuilder()
                                .setStringValue(filled(member.value()))
                                .build()));
                written.setOmitEmptyValues(omitEmpty);
            }
        }
        return written.build();
    }

    private Optional<AccessLog> openTelemetry(OpenTelemetry collector) {
        String endpoint = collector.endpoint();
        if (endpoint == null) {
            return Optional.empty();
        }
        int colon = endpoint.lastIndexOf(':');
        String name = draft.collector(
                Collectors.grpc(endpoint.substring(0, colon), Integer.parseInt(endpoint.substring(colon + 1))));
        OpenTelemetryAccessLogConfig.Builder log = OpenTelemetryAccessLogConfig.newBuilder();
        log.getCommonConfigBuilder()
                .setLogName("parley")
                .setTransportApiVersion(ApiVersion.V3)
                .getGrpcServiceBuilder()
                .getEnvoyGrpcBuilder()
                .setClusterName(name);
        log.getResourceAttributesBuilder()
                .addValues(attribute(
                        "service.name",
                        draft.dataplane().services().stream().findFirst().orElse("parley")));
        if (collector.body() != null) {
            log.setBody(body(collector.body()));
        }
        for (var attribute : collector.attributes()) {
            log.getAttributesBuilder().addValues(attribute(attribute.key(), filled(attribute.value())));
        }
        return Optional.of(AccessLog.newBuilder()
                .setName("envoy.access_loggers.open_telemetry")
                .setTypedConfig(any(log.build()))
                .build());
    }

    private AnyValue body(LogBody body) {
        AnyValue.Builder value = AnyValue.newBuilder();
        switch (body) {
            case LogBody.Text(String template) -> value.setStringValue(filled(template));
            case LogBody.Items(var items) ->
                items.forEach(item -> value.getArrayValueBuilder().addValues(body(item)));
            case LogBody.Members(var members) ->
                members.forEach(member -> value.getKvlistValueBuilder()
                        .addValuesBuilder()
                        .setKey(member.key())
                        .setValue(body(member.value())));
            // Envoy refuses values that are neither texts nor made of them.
            case LogBody.Flag(boolean flag) when draft.flavor() == Flavor.PARLEY -> value.setBoolValue(flag);
            case LogBody.Whole(long number) when draft.flavor() == Flavor.PARLEY -> value.setIntValue(number);
            case LogBody.Real(double number) when draft.flavor() == Flavor.PARLEY -> value.setDoubleValue(number);
            case LogBody.Bytes(String encoded)
            when draft.flavor() == Flavor.PARLEY ->
                value.setBytesValue(ByteString.copyFrom(Base64.getDecoder().decode(encoded)));
            case LogBody.Flag(boolean flag) -> value.setStringValue(String.valueOf(flag));
            case LogBody.Whole(long number) -> value.setStringValue(String.valueOf(number));
            case LogBody.Real(double number) -> value.setStringValue(String.valueOf(number));
            case LogBody.Bytes(String encoded) -> value.setStringValue(encoded);
        }
        return value.build();
    }

    private static KeyValue attribute(String name, String value) {
        KeyValue.Builder attribute = KeyValue.newBuilder().setKey(name);
        attribute.getValueBuilder().setStringValue(value);
        return attribute.build();
    }

    /** With the mesh's own placeholders replaced; those of Envoy stay. */
    private String filled(String template) {
        String zone = draft.dataplane().zone();
        return template.replace("%KUMA_MESH%", draft.mesh().name())
                .replace("%KUMA_SOURCE_SERVICE%", traffic.source())
                .replace("%KUMA_DESTINATION_SERVICE%", traffic.destination())
                .replace(
                        "%KUMA_SOURCE_ADDRESS_WITHOUT_PORT%",
                        traffic.direction().equals("OUTBOUND")
                                ? draft.dataplane().spec().address()
                                : "%DOWNSTREAM_REMOTE_ADDRESS_WITHOUT_PORT%")
                .replace("%KUMA_TRAFFIC_DIRECTION%", traffic.direction())
                .replace("%KUMA_ZONE%", zone == null ? "" : zone);
    }
}
