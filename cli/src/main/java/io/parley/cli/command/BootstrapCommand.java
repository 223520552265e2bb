package io.parley.cli.command;

import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.parley.xds.bootstrap.Bootstrap;
import io.parley.xds.bootstrap.BootstrapWriter;
import io.parley.xds.bootstrap.CallCredentials;
import io.parley.xds.bootstrap.ChannelCredentials;
import io.parley.xds.bootstrap.XdsServer;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
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
            "Programs whose gRPC cannot send a token (older than 2025) connect to the control plane's",
            "--local-xds port: name it with --server and add --insecure."
        })
@SuppressWarnings("NullAway.Init") // fields are set by picocli
public final class BootstrapCommand implements Runnable {
    private static final String V3 = "xds_v3";

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
            defaultValue = "localhost:5678",
            description = "The control plane. Default: ${DEFAULT-VALUE}.")
    private String serverUri;

    @Option(
            names = "--ca",
            paramLabel = "FILE",
            defaultValue = "${sys:user.home}/.parley/ca.pem",
            description = "The authority that vouches for the control plane. Default: ${DEFAULT-VALUE}.")
    private Path ca;

    @Option(
            names = "--dataplane-token",
            paramLabel = "FILE",
            description = "A file with the token of the data plane (parley token dataplane).")
    private @Nullable Path token;

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

    @Override
    public void run() {
        ChannelCredentials channel = insecure
                ? new ChannelCredentials.Insecure()
                : new ChannelCredentials.Tls(ca.toAbsolutePath(), null, ChannelCredentials.Tls.DEFAULT_REFRESH);
        List<CallCredentials> calls =
                token == null ? List.of() : List.of(new CallCredentials.JwtTokenFile(token.toAbsolutePath()));
        Set<String> features = version == Version.V3 ? Set.of(V3) : Set.of();
        Node node = Node.newBuilder()
                .setId(name)
                .setCluster(mesh)
                .setMetadata(Struct.newBuilder()
                        .putFields(
                                "mesh", Value.newBuilder().setStringValue(mesh).build()))
                .build();
        Bootstrap bootstrap = Bootstrap.of(List.of(new XdsServer(serverUri, channel, calls, features)), node);
        spec.commandLine().getOut().println(BootstrapWriter.write(bootstrap));
    }
}
