package io.parley.xds.bootstrap;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads lists of credentials: the first entry of a supported type wins, and unknown types are for other clients. */
final class CredentialsReader {
    private static final List<String> CHANNEL_TYPES = List.of("insecure", "tls");
    private static final String EXPECTED = "a list with at least one of " + CHANNEL_TYPES;

    private CredentialsReader() {}

    /** The first supported entry; insecure as a stand-in after noting why there is none. */
    static ChannelCredentials channel(JsonField list) {
        List<String> types = new ArrayList<>();
        List<JsonField> entries = list.requireElements(EXPECTED);
        boolean sound = true;
        for (JsonField entry : entries) {
            Optional<String> type =
                    entry.object().at("type").require("a type of credentials").text();
            sound &= type.isPresent();
            if (type.isPresent() && CHANNEL_TYPES.contains(type.get())) {
                return type.get().equals("tls") ? tls(entry.at("config")) : new ChannelCredentials.Insecure();
            }
            type.map(JsonField::shown).ifPresent(types::add);
        }
        if (sound && !entries.isEmpty()) {
            list.note(new BootstrapError.NoSupportedCredentials(list.path(), types, CHANNEL_TYPES));
        }
        return new ChannelCredentials.Insecure();
    }

    static List<CallCredentials> call(JsonField list) {
        List<CallCredentials> supported = new ArrayList<>();
        for (JsonField entry : list.elements()) {
            Optional<String> type =
                    entry.object().at("type").require("a type of credentials").text();
            if (type.isPresent() && type.get().equals("jwt_token_file")) {
                entry.at("config")
                        .object()
                        .at("jwt_token_file")
                        .require("the name of a file")
                        .file()
                        .map(CallCredentials.JwtTokenFile::new)
                        .ifPresent(supported::add);
            }
        }
        return supported;
    }

    private static ChannelCredentials tls(JsonField config) {
        return new ChannelCredentials.Tls(
                config.object().at("ca_certificate_file").file().orElse(null),
                keyFiles(config),
                config.at("refresh_interval").duration(ChannelCredentials.Tls.DEFAULT_REFRESH));
    }

    /** A certificate and its key come together or not at all. */
    static ChannelCredentials.@Nullable KeyFiles keyFiles(JsonField config) {
        JsonField certificate = config.at("certificate_file");
        JsonField key = config.at("private_key_file");
        if (certificate.isAbsent() && key.isAbsent()) {
            return null;
        }
        Path certificateFile = certificate
                .require("the certificate of private_key_file")
                .file()
                .orElse(null);
        Path keyFile = key.require("the key of certificate_file").file().orElse(null);
        return certificateFile == null || keyFile == null
                ? null
                : new ChannelCredentials.KeyFiles(certificateFile, keyFile);
    }
}
