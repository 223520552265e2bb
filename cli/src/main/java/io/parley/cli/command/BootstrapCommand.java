package io.parley.cli.command;

import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.parley.cli.client.CommandFailure;
import io.parley.cli.client.ExitCode;
import io.parley.cli.client.ServerOptions;
import io.parley.xds.bootstrap.Bootstrap;
import io.parley.xds.bootstrap.BootstrapWriter;
import io.parley.xds.bootstrap.CallCredentials;
import io.parley.xds.bootstrap.CertificateProvider;
import io.parley.xds.bootstrap.ChannelCredentials;
import io.parley.xds.bootstrap.ChannelCredentials.KeyFiles;
import io.parley.xds.bootstrap.XdsServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code parley bootstrap}: the file that tells a gRPC program where its control plane is. */
@Command(
        name = "bootstrap",
        description = "Write the bootstrap file of a gRPC program (GRPC_XDS_BOOTSTRAP) to standard output.",
        footer = {
            "",
            "Programs whose gRPC cannot send a token (older than 2025) or cannot be told which authority to trust",
            "(Java, Node.js) connect to the control plane's --local-xds port: --insecure.",
            "For a mesh with mutual TLS, give the program's certificate: resources name its provider 'parley'."
        })
@SuppressWarnings("NullAway.Init") // fields are set by picocli
public final class BootstrapCommand implements Runnable {
    private static final String V3 = "xds_v3";
    /** Under this name a program finds its own listener, see {@code %s} in gRPC A36; the control plane writes it so. */
    private static final String SERVER_LISTENER = "grpc/server?xds.resource.listening_address=%s";
    /** The instance that the control plane's resources name. */
    private static final String CERTIFICATES = "parley";

    private static final Pattern ADDRESS = Pattern.compile(".+:\\d{1,5}");

    @Spec
    private CommandSpec spec;

    @Option(names = "--name", paramLabel = "NAME", required = true, description = "The program's Dataplane.")
    private String name;

    @Option(
            names = {"-m", "--mesh"},
            paramLabel = "MESH",
            defaultValue = "default",
            description = "Its mesh. Default: ${DEFAULT-VALUE}.")
    private String mesh;

    @Option(
            names = "--server",
            paramLabel = "HOST:PORT",
            description = "The control plane. Default: localhost:5678, or localhost:5677 with --insecure.")
    private @Nullable String server;

    @Option(
            names = "--ca",
            paramLabel = "FILE",
            description = "The authority that vouches for the control plane. Default: DIR/ca.pem.")
    private @Nullable Path ca;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            defaultValue = ServerOptions.DEFAULT_DATA,
            description = "Data folder of the local control plane. Default: ${DEFAULT-VALUE}.")
    private Path data;

    @Option(
            names = "--dataplane-token",
            paramLabel = "FILE",
            description = "A file with the token of the data plane (parley token dataplane).")
    private @Nullable Path token;

    @ArgGroup(exclusive = false)
    private @Nullable Certificate certificate;

    @Option(names = "--insecure", description = "Plain text, for the control plane's --local-xds port.")
    private boolean insecure;

    @Option(
            names = "--xds-version",
            paramLabel = "VERSION",
            defaultValue = "v3",
            description = "v3, or v2 for a client that is to speak that. Default: ${DEFAULT-VALUE}.")
    private Version version;

    /** Which transport the client is told to speak, if it can choose. */
    enum Version {
        V2,
        V3
    }

    /** The files of a program that shows who it is. */
    @SuppressWarnings("NullAway.Init") // fields are set by picocli
    static final class Certificate {
        @Option(
                names = "--certificate",
                paramLabel = "FILE",
                required = true,
                description = "The program's certificate.")
        private Path certificate;

        @Option(names = "--private-key", paramLabel = "FILE", required = true, description = "Its key.")
        private Path key;

        @Option(
                names = "--roots",
                paramLabel = "FILE",
                required = true,
                description = "The authorities of its mesh. All three are read again when they change.")
        private Path roots;

        CertificateProvider provider() {
            return new CertificateProvider.FileWatcher(
                    new KeyFiles(existing("--certificate", certificate), existing("--private-key", key)),
                    existing("--roots", roots),
                    ChannelCredentials.Tls.DEFAULT_REFRESH);
        }
    }

    @Override
    public void run() {
        Bootstrap bootstrap = new Bootstrap(
                List.of(controlPlane()),
                node(),
                certificate == null ? Map.of() : Map.of(CERTIFICATES, certificate.provider()),
                SERVER_LISTENER,
                Bootstrap.DEFAULT_CLIENT_LISTENER_TEMPLATE,
                Map.of(),
                Map.of());
        spec.commandLine().getOut().println(BootstrapWriter.write(bootstrap));
    }

    private XdsServer controlPlane() {
        Set<String> features = version == Version.V3 ? Set.of(V3) : Set.of();
        return insecure
                ? new XdsServer(address("localhost:5677"), new ChannelCredentials.Insecure(), noToken(), features)
                : new XdsServer(address("localhost:5678"), tls(), List.of(token()), features);
    }

    private String address(String usual) {
        String address = server == null ? usual : server;
        if (!ADDRESS.matcher(address).matches()) {
            throw wrong("--server: " + address + " (expected: HOST:PORT)");
        }
        return address;
    }

    private ChannelCredentials tls() {
        return new ChannelCredentials.Tls(
                existing("--ca", ca == null ? data.resolve("ca.pem") : ca),
                null,
                ChannelCredentials.Tls.DEFAULT_REFRESH);
    }

    private CallCredentials token() {
        if (token == null) {
            throw wrong("--dataplane-token: missing (expected: a file made by 'parley token dataplane --name " + name
                    + "', or --insecure for the control plane's --local-xds port)");
        }
        Path file = existing("--dataplane-token", token);
        warnOfLineBreak(file);
        return new CallCredentials.JwtTokenFile(file);
    }

    /** Go and our own client leave it out; the C core sends it, and is told of a protocol error without a word of tokens. */
    private void warnOfLineBreak(Path file) {
        try {
            String text = Files.readString(file);
            if (!text.equals(text.strip())) {
                spec.commandLine()
                        .getErr()
                        .println("parley: --dataplane-token: " + file + ": a line break or space around the token"
                                + " (expected: the bare token; gRPC in Python and"
                                + " C++ sends what is in the file, and fails)");
            }
        } catch (IOException e) {
            throw wrong("--dataplane-token: " + file + ": cannot be read: " + e.getMessage());
        }
    }

    private List<CallCredentials> noToken() {
        if (token != null) {
            throw wrong("--dataplane-token: a token is not sent in plain text (expected: no --insecure)");
        }
        return List.of();
    }

    private Node node() {
        return Node.newBuilder()
                .setId(name)
                .setCluster(mesh)
                .setMetadata(Struct.newBuilder()
                        .putFields(
                                "mesh", Value.newBuilder().setStringValue(mesh).build()))
                .build();
    }

    /** Programs report a file that is not there late and badly, so it is looked at here. */
    private static Path existing(String option, Path file) {
        return new GivenFile(option, file).readable().toAbsolutePath();
    }

    private static CommandFailure wrong(String message) {
        return new CommandFailure(ExitCode.USAGE, message);
    }
}
