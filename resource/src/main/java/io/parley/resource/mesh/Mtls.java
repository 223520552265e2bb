package io.parley.resource.mesh;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.parley.resource.read.Choices;
import io.parley.resource.read.DurationRange;
import io.parley.resource.read.Durations;
import io.parley.resource.read.Field;
import io.parley.resource.read.Fields;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who signs the certificates of a mesh.
 *
 * @param enabledBackend null if traffic is not encrypted
 */
public record Mtls(@Nullable String enabledBackend, List<Authority> backends, boolean skipValidation) {
    /**
     * A certificate authority.
     *
     * @param type {@code builtin}, {@code provided} or what else is installed
     * @param certificates how the certificates of proxies are made; null for the defaults
     * @param conf for its type; kept as it is
     */
    public record Authority(
            String name,
            String type,
            Mode mode,
            @Nullable Certificates certificates,
            @Nullable ObjectNode conf) {}

    /**
     * How the certificates of proxies are made.
     *
     * @param rotation null for the default
     */
    public record Certificates(
            @Nullable Rotation rotation, @Nullable Duration requestTimeout) {}

    /** How long one of them lives. */
    public record Rotation(@Nullable Duration expiration) {}

    /** Whether traffic without a certificate is taken. */
    public enum Mode {
        STRICT,
        PERMISSIVE
    }

    private static final Choices<Mode> MODES = Choices.asNamed(Mode.class);

    public Mtls {
        backends = List.copyOf(backends);
    }

    static Mtls read(Fields fields) {
        Mtls mtls = new Mtls(
                fields.at("enabledBackend").text(),
                fields.at("backends").objects(Mtls::authority),
                fields.at("skipValidation").flagOr(false));
        Telemetry.checkNames(
                fields,
                "enabledBackend",
                mtls.backends.stream().map(Authority::name).toList());
        return mtls;
    }

    private static Authority authority(Fields fields) {
        fields.ignore("rootChain");
        return new Authority(
                fields.at("name").requireText(),
                fields.at("type").requireText(),
                fields.at("mode").choiceOr(Mode.STRICT, MODES),
                fields.at("dpCert").object(Mtls::certificates),
                fields.at("conf").tree());
    }

    private static Certificates certificates(Fields fields) {
        return new Certificates(
                fields.at("rotation").object(rotation -> new Rotation(lifetime(rotation.at("expiration")))),
                fields.at("requestTimeout").duration(DurationRange.NOT_NEGATIVE));
    }

    private static @Nullable Duration lifetime(Field field) {
        String text = field.text(
                "a time such as 24h, 30d or 1y",
                written -> Durations.parseLong(written).isPresent());
        return text == null ? null : Durations.parseLong(text).orElse(null);
    }
}
