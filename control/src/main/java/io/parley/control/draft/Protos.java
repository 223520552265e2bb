package io.parley.control.draft;

import com.google.protobuf.Any;
import com.google.protobuf.BoolValue;
import com.google.protobuf.Message;
import com.google.protobuf.Struct;
import com.google.protobuf.UInt32Value;
import com.google.protobuf.Value;
import io.envoyproxy.envoy.config.core.v3.Address;
import io.envoyproxy.envoy.config.core.v3.AggregatedConfigSource;
import io.envoyproxy.envoy.config.core.v3.ApiVersion;
import io.envoyproxy.envoy.config.core.v3.ConfigSource;
import io.envoyproxy.envoy.config.core.v3.HeaderValueOption;
import io.envoyproxy.envoy.config.core.v3.HeaderValueOption.HeaderAppendAction;
import io.envoyproxy.envoy.config.core.v3.Metadata;
import io.envoyproxy.envoy.config.core.v3.SelfConfigSource;
import io.envoyproxy.envoy.config.core.v3.SocketAddress;
import io.envoyproxy.envoy.type.v3.FractionalPercent;
import io.parley.resource.policy.HeaderModifier;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Small pieces of Envoy messages. */
public final class Protos {
    /** Where what only our own proxies read is kept; others pass it over. */
    public static final String EXTRAS = "io.parley";

    private static final int MILLION = 1_000_000;

    private Protos() {}

    public static com.google.protobuf.Duration duration(Duration duration) {
        return com.google.protobuf.Duration.newBuilder()
                .setSeconds(duration.getSeconds())
                .setNanos(duration.getNano())
                .build();
    }

    public static UInt32Value number(int number) {
        return UInt32Value.of(number);
    }

    public static BoolValue flag(boolean flag) {
        return BoolValue.of(flag);
    }

    public static Any any(Message message) {
        return Any.pack(message);
    }

    public static Address address(String host, int port) {
        return Address.newBuilder()
                .setSocketAddress(SocketAddress.newBuilder().setAddress(host).setPortValue(port))
                .build();
    }

    /** The stream that the asking message itself came on. */
    public static ConfigSource ads() {
        return ConfigSource.newBuilder()
                .setAds(AggregatedConfigSource.getDefaultInstance())
                .setResourceApiVersion(ApiVersion.V3)
                .build();
    }

    /** The server that the asking message itself came from. */
    public static ConfigSource self() {
        return ConfigSource.newBuilder()
                .setSelf(SelfConfigSource.getDefaultInstance())
                .setResourceApiVersion(ApiVersion.V3)
                .build();
    }

    /** A share of all requests, kept to four digits after the point. */
    public static FractionalPercent share(BigDecimal percentage) {
        int numerator = percentage
                .multiply(BigDecimal.valueOf(MILLION / 100))
                .setScale(0, RoundingMode.HALF_UP)
                .intValueExact();
        return FractionalPercent.newBuilder()
                .setNumerator(numerator)
                .setDenominator(FractionalPercent.DenominatorType.MILLION)
                .build();
    }

    /** The value is meant as it stands: in Envoy's form a % that is not doubled begins something to be put in. */
    public static HeaderValueOption header(String name, String value, HeaderAppendAction action) {
        HeaderValueOption.Builder option = HeaderValueOption.newBuilder().setAppendAction(action);
        option.getHeaderBuilder().setKey(name).setValue(value.replace("%", "%%"));
        return option.build();
    }

    /** Headers that replace those that are there, and headers beside them. */
    public static List<HeaderValueOption> headers(HeaderModifier modifier) {
        List<HeaderValueOption> headers = new ArrayList<>();
        modifier.set()
                .forEach(header -> headers.add(
                        header(header.name(), header.value(), HeaderAppendAction.OVERWRITE_IF_EXISTS_OR_ADD)));
        modifier.add()
                .forEach(header ->
                        headers.add(header(header.name(), header.value(), HeaderAppendAction.APPEND_IF_EXISTS_OR_ADD)));
        return headers;
    }

    public static Metadata extras(Map<String, String> values) {
        return Metadata.newBuilder().putFilterMetadata(EXTRAS, struct(values)).build();
    }

    /** Fields in the order of their names: equal maps must be equal bytes. */
    public static Struct struct(Map<String, String> values) {
        Struct.Builder struct = Struct.newBuilder();
        new TreeMap<>(values).forEach((name, value) -> struct.putFields(name, text(value)));
        return struct.build();
    }

    public static Value text(String value) {
        return Value.newBuilder().setStringValue(value).build();
    }
}
