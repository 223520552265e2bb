package io.parley.cli.command;

import io.parley.cli.client.CommandFailure;
import io.parley.cli.client.ExitCode;
import io.parley.cli.client.ServerOptions;
import io.parley.control.app.ControlPlane;
import io.parley.control.app.ControlPlaneConfig;
import io.parley.control.app.HostPort;
import io.parley.control.app.Mode;
import io.parley.control.app.StoreChoice;
import io.parley.identity.seal.UnsealException;
import io.parley.resource.kind.NameRule;
import io.parley.store.Failure;
import io.parley.store.StoreException;
import io.parley.sync.cache.Pace;
import io.parley.sync.zone.Channels;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code parley control-plane}. */
@Command(
        name = "control-plane",
        description = "Run a control plane until it is stopped.",
        footer = {
            "",
            "The first start writes DIR/admin.token (for 'parley apply' and the like) and DIR/ca.pem",
            "(for proxies). Ready when GET /ready on the API answers 200."
        })
@SuppressWarnings("NullAway.Init") // fields are set by picocli
public final class ControlPlaneCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            defaultValue = ServerOptions.DEFAULT_DATA,
            description = "Folder for its store, keys and tokens. Default: ${DEFAULT-VALUE}.")
    private Path data;

    @Option(
            names = "--api",
            paramLabel = "HOST:PORT",
            defaultValue = ControlPlaneConfig.DEFAULT_API,
            converter = AddressConverter.class,
            description = "Where the API listens; TLS unless that is a loopback address. Default: ${DEFAULT-VALUE}.")
    private HostPort api;

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            defaultValue = ControlPlaneConfig.DEFAULT_LISTEN,
            converter = AddressConverter.class,
            description = "Where proxies, xDS clients and zones connect (TLS). Default: ${DEFAULT-VALUE}.")
    private HostPort listen;

    @Option(
            names = "--local-xds",
            paramLabel = "HOST:PORT",
            converter = AddressConverter.class,
            description =
                    "A loopback address where xDS clients of this machine connect in clear and unasked, for programs"
                            + " whose gRPC can send no token. Default: none.")
    private @Nullable HostPort localXds;

    @Option(
            names = "--store",
            paramLabel = "STORE",
            defaultValue = "sqlite",
            converter = StoreConverter.class,
            description = "sqlite, memory, or postgres://USER:PASSWORD@HOST:PORT/DATABASE. Default: ${DEFAULT-VALUE}.")
    private StoreChoice store;

    @Option(
            names = "--host-name",
            paramLabel = "NAME",
            split = ",",
            description = "A name or address under which this control plane is reached, beyond the machine's own.")
    private List<String> hostNames = new ArrayList<>();

    @Option(
            names = "--shared-certificate",
            paramLabel = "FILE",
            description = "A certificate (PEM) that data planes share: whoever proves to have its key is let in under"
                    + " the name that it gives. Default: none, each has a token or a certificate of its own.")
    private @Nullable Path sharedCertificate;

    @Option(
            names = "--master-key",
            paramLabel = "FILE",
            description = "Key that opens sealed secrets; control planes that share a database share it."
                    + " Default: DIR/master.key, made at the first start.")
    private @Nullable Path masterKey;

    @Option(
            names = "--mode",
            paramLabel = "MODE",
            defaultValue = "standalone",
            description = "standalone; global, which zones follow; or zone. Default: ${DEFAULT-VALUE}.")
    private String mode;

    @Option(
            names = "--tenants",
            paramLabel = "NAME",
            split = ",",
            description = "With --mode global: who share it. Each has resources, zones and tokens of its own.")
    private List<String> tenants = new ArrayList<>();

    @Option(
            names = "--trusted-proxies",
            paramLabel = "ADDRESS",
            split = ",",
            description =
                    "With --mode global: proxies that may say, by the header 'tenant', whose a zone is whose token"
                            + " does not. Default: none.")
    private List<String> trustedProxies = new ArrayList<>();

    @Option(
            names = "--sync-interval",
            paramLabel = "[KIND=]DURATION",
            split = ",",
            description = "With --mode global or zone: how often at most changes of a kind are sent to the other side,"
                    + " such as Dataplane=5s; without KIND, of all that only inform (Dataplanes, insights)."
                    + " Default: 1s for those, 0s for all others.")
    private List<String> syncIntervals = new ArrayList<>();

    @Option(names = "--zone", paramLabel = "NAME", description = "With --mode zone: the name of this zone.")
    private @Nullable String zone;

    @Option(
            names = "--global",
            paramLabel = "URL",
            description = "With --mode zone: the global control plane, grpcs://HOST:PORT.")
    private @Nullable URI global;

    @Option(
            names = "--global-ca",
            paramLabel = "FILE",
            description = "With --mode zone: the authority that signed global's certificate (its DIR/ca.pem)."
                    + " Default: those that Java trusts.")
    private @Nullable Path globalCa;

    @Option(
            names = "--token",
            paramLabel = "FILE",
            description = "With --mode zone: this zone's token, from 'parley token zone' at the global control plane.")
    private @Nullable Path token;

    @Override
    public Integer call() throws InterruptedException {
        ControlPlaneConfig config = config();
        ControlPlane controlPlane = start(config);
        Runtime.getRuntime().addShutdownHook(new Thread(controlPlane::close, "stop"));
        PrintWriter out = spec.commandLine().getOut();
        String usual = spec.findOption("--data").defaultValue();
        String at = config.data().toString().equals(usual) ? "" : " --data " + config.data();
        out.println("The control plane is ready. Stop it with Ctrl-C.");
        out.println("  API    " + controlPlane.apiUrl() + "  (administrator's token in " + controlPlane.adminTokenFile()
                + ")");
        out.println("  proxies, xDS clients and zones connect to port " + controlPlane.machinePort()
                + "  (authority in " + controlPlane.caFile() + ")");
        out.println("  try    parley get meshes" + at);
        out.flush();
        // Until the process is told to stop: the hook above does the rest.
        new CountDownLatch(1).await();
        return ExitCode.OK.number();
    }

    private static ControlPlane start(ControlPlaneConfig config) {
        try {
            return ControlPlane.start(config);
        } catch (StoreException e) {
            throw cannotStart(e.failure() instanceof Failure.Unavailable ? ExitCode.UNREACHABLE : ExitCode.FAILED, e);
        } catch (UnsealException | UncheckedIOException | IllegalStateException e) {
            throw cannotStart(ExitCode.FAILED, e);
        }
    }

    private static CommandFailure cannotStart(ExitCode code, RuntimeException because) {
        return new CommandFailure(code, "the control plane cannot start: " + because.getMessage());
    }

    /** Zones' options mean nothing to others; of those that other commands have too, only what was typed counts. */
    private void refuseOptionsOfZones() {
        List<String> given = new ArrayList<>();
        for (String option : List.of("--zone", "--global", "--global-ca", "--token")) {
            boolean typed = spec.commandLine().getParseResult().hasMatchedOption(option);
            if (typed
                    || (option.startsWith("--global") && spec.findOption(option).getValue() != null)) {
                given.add(option);
            }
        }
        if (!given.isEmpty()) {
            throw new IllegalArgumentException(String.join(", ", given) + ": only with --mode zone");
        }
    }

    private Mode mode() {
        if (!mode.equals("global") && !(tenants.isEmpty() && trustedProxies.isEmpty())) {
            throw new IllegalArgumentException("--tenants and --trusted-proxies: need --mode global");
        }
        if (mode.equals("standalone") && !syncIntervals.isEmpty()) {
            throw new IllegalArgumentException("--sync-interval: needs --mode global or zone");
        }
        if (mode.equals("standalone") || mode.equals("global")) {
            refuseOptionsOfZones();
        }
        return switch (mode) {
            case "standalone" -> new Mode.Standalone();
            case "global" ->
                new Mode.Global(
                        Set.copyOf(tenants),
                        trustedProxies.stream().map(InetAddress::ofLiteral).collect(Collectors.toSet()),
                        pace());
            case "zone" -> {
                if (zone == null || global == null || token == null || !NameRule.ZONE.accepts(zone)) {
                    throw new IllegalArgumentException(
                            "--mode zone: needs --zone (" + NameRule.ZONE + "), --global and --token");
                }
                yield new Mode.Zone(zone, new Channels(global, globalCa, token), pace());
            }
            default ->
                throw new IllegalArgumentException("--mode: " + mode + " (expected: standalone, global or zone)");
        };
    }

    private Pace pace() {
        try {
            return Pace.parse(syncIntervals);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("--sync-interval: " + e.getMessage(), e);
        }
    }

    private ControlPlaneConfig config() {
        try {
            return new ControlPlaneConfig(
                    data, api, listen, localXds, store, hostNames, sharedCertificate, masterKey, mode());
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.USAGE, String.valueOf(e.getMessage()));
        }
    }
}
