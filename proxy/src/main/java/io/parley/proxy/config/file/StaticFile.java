package io.parley.proxy.config.file;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.parley.proxy.AddressText;
import io.parley.proxy.config.Authorization;
import io.parley.proxy.config.Authorization.Strangers;
import io.parley.proxy.config.ListenerConfig;
import io.parley.proxy.config.ListenerConfig.Limits;
import io.parley.proxy.config.ProxyConfig;
import io.parley.proxy.config.Timeouts;
import io.parley.proxy.config.file.StaticConfig.AccessLogFormat;
import io.parley.proxy.config.file.StaticConfig.IdentityFiles;
import io.parley.proxy.http.HttpDefaults;
import io.parley.resource.Result;
import io.parley.resource.Violation;
import io.parley.resource.read.Choices;
import io.parley.resource.read.Dialect;
import io.parley.resource.read.DurationRange;
import io.parley.resource.read.Field;
import io.parley.resource.read.Fields;
import io.parley.resource.read.IntRange;
import io.parley.resource.text.Syntax;
import io.parley.resource.text.TextDocument;
import io.parley.resource.text.TextReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/** Reads a proxy's static file, which is described in docs/agreement-4-proxy.md. */
public final class StaticFile {
    private static final InetSocketAddress DEFAULT_ADMIN =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 4191);
    private static final Choices<AccessLogFormat> FORMATS = Words.of(AccessLogFormat.class);

    private final Overrides overrides;
    private final String version;

    private StaticFile(Overrides overrides, String version) {
        this.overrides = overrides;
        this.version = version;
    }

    /** Reads the file's bytes. */
    public static Result<StaticConfig> read(byte[] bytes, Overrides overrides) {
        List<TextDocument> documents = TextReader.read(bytes, Syntax.YAML);
        if (documents.size() != 1) {
            return rejected(documents.size() + " documents (expected: one)");
        }
        return switch (documents.getFirst()) {
            case TextDocument.Unreadable(var _, var at, var message) ->
                rejected((at == null ? "" : at + ": ") + message);
            case TextDocument.Read(var _, var tree) ->
                tree instanceof ObjectNode object
                        ? Fields.read(
                                object,
                                io.parley.resource.read.Path.ROOT,
                                Dialect.PLAIN,
                                new StaticFile(overrides, digest(bytes))::read)
                        : rejected("not an object (expected: inbound, outbound, …)");
        };
    }

    private static Result<StaticConfig> rejected(String message) {
        return new Result.Rejected<>(List.of(new Violation("", message)));
    }

    private static String digest(byte[] bytes) {
        CRC32 crc = new CRC32();
        crc.update(bytes);
        return "file-" + Long.toHexString(crc.getValue());
    }

    private StaticConfig read(Fields file) {
        IdentityFiles identity = file.at("identity").object(StaticFile::identity);
        Limits limits = orElse(file.at("limits").object(StaticFile::limits), Limits.DEFAULT);
        Timeouts timeouts = orElse(file.at("timeouts").object(StaticFile::timeouts), Timeouts.DEFAULT);
        HttpDefaults http = orElse(file.at("http").object(HttpReader::read), HttpDefaults.USUAL);
        Set<String> trustDomains = Set.copyOf(file.at("trustDomains").list(Field::requireText));
        Set<String> gateway =
                orElse(file.at("gateway").object(fields -> Declarations.domains(fields.at("domains"))), Set.of());
        file.needAnyOf("inbound", "outbound");

        List<ListenerConfig> listeners = new ArrayList<>();
        Map<String, String> places = new HashMap<>();
        OutboundReader outbound = new OutboundReader(overrides, limits, places);
        file.at("outbound").object(fields -> {
            Object _ = outbound.read(fields);
            return fields;
        });
        listeners.addAll(outbound.listeners());
        Authorization members = new Authorization(
                Strangers.REFUSED,
                Set.of(),
                trustDomains.isEmpty() ? Set.of(Authorization.Peers.ANY_MEMBER) : trustDomains);
        InboundReader inbound = new InboundReader(overrides, members, limits, http, outbound.byName(), places);
        listeners.addAll(orElse(file.at("inbound").object(fields -> inbound.read(fields, gateway)), List.of()));
        refuseTwice(file, listeners);

        InetSocketAddress admin = Addresses.or(file.at("admin"), DEFAULT_ADMIN);
        return new StaticConfig(
                new ProxyConfig(version, listeners, outbound.clusters(), timeouts, http),
                identity,
                overrides.admin() == null ? admin : overrides.admin(),
                file.at("accessLog").choiceOr(AccessLogFormat.TEXT, FORMATS),
                places);
    }

    private static void refuseTwice(Fields file, List<ListenerConfig> listeners) {
        List<InetSocketAddress> seen = new ArrayList<>();
        for (ListenerConfig listener : listeners) {
            if (listener.address().getPort() != 0 && seen.contains(listener.address())) {
                file.fail(AddressText.of(listener.address())
                        + " is listened on twice (expected: an address of its own for " + listener.name() + ")");
            }
            seen.add(listener.address());
        }
    }

    private static IdentityFiles identity(Fields fields) {
        return new IdentityFiles(
                Path.of(fields.at("certificate").requireText()),
                Path.of(fields.at("key").requireText()),
                Path.of(fields.at("trust").requireText()));
    }

    private static Limits limits(Fields fields) {
        Integer most = fields.at("maxConnections").integer(IntRange.ABOVE_ZERO);
        Integer perSecond = fields.at("connectionsPerSecond").integer(IntRange.NOT_NEGATIVE);
        Integer burst = fields.at("burst").integer(IntRange.NOT_NEGATIVE);
        return new Limits(
                most == null ? Limits.DEFAULT.maxConnections() : most,
                perSecond == null || perSecond == 0
                        ? Duration.ZERO
                        : Duration.ofSeconds(1).dividedBy(perSecond),
                burst == null ? perSecond == null ? 0 : perSecond : burst);
    }

    private static Timeouts timeouts(Fields fields) {
        Timeouts absent = Timeouts.DEFAULT;
        boolean listens = fields.at("listenToSilentServers").flagOr(true);
        Duration grace = fields.at("serverFirstGrace").duration(DurationRange.NOT_NEGATIVE);
        return new Timeouts(
                listens ? grace == null ? absent.serverFirstGrace() : grace : null,
                duration(fields, "detect", absent.detect()),
                duration(fields, "partial", absent.partial()),
                duration(fields, "header", absent.header()),
                duration(fields, "handshake", absent.handshake()),
                duration(fields, "connect", absent.connect()),
                duration(fields, "idle", absent.idle()),
                duration(fields, "drain", absent.drain()));
    }

    private static Duration duration(Fields fields, String name, Duration absent) {
        return orElse(fields.at(name).duration(DurationRange.ABOVE_ZERO), absent);
    }

    private static <T> T orElse(@Nullable T value, T absent) {
        return value == null ? absent : value;
    }
}
