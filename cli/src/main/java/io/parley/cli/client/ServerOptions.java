package io.parley.cli.client;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Which control plane a command talks to. Without options: the local one, found by what it left in its data folder. */
public final class ServerOptions {
    /** What a shell calls {@code ~/.parley}: the home of the environment, which is not always the one that Java finds. */
    public static final String DEFAULT_DATA = "${env:HOME:-${sys:user.home}}/.parley";

    private static final String DEFAULT_URL = "http://127.0.0.1:5681";

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "The control plane's API. Default: what the local control plane wrote to DIR/api.url.")
    private @Nullable URI url;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "File with the token to send. Default: DIR/admin.token of the local control plane.")
    private @Nullable Path tokenFile;

    @Option(
            names = "--ca",
            paramLabel = "FILE",
            description =
                    "Certificate authority to trust for an https URL. Default: DIR/ca.pem if it is there, else the"
                            + " JDK's.")
    private @Nullable Path caFile;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Data folder of the local control plane. Default: ${DEFAULT-VALUE}.",
            defaultValue = DEFAULT_DATA)
    private @Nullable Path dataFolder;

    @Option(
            names = "--tenant",
            paramLabel = "TENANT",
            defaultValue = "",
            description = "Act for this tenant of a global control plane. Default: the token's.")
    private String tenant = "";

    public ApiClient client() {
        return client(tenant);
    }

    /** Acts for nobody else, whoever is named. */
    public ApiClient clientWithoutTenant() {
        return client("");
    }

    /** Whom the command is about; empty if it did not say. */
    public String tenant() {
        return tenant;
    }

    private ApiClient client(String actingFor) {
        URI target = url != null ? url : localUrl();
        Path ca = caFile != null ? caFile : existing("ca.pem");
        return new ApiClient(target, token(), ca, actingFor);
    }

    private URI localUrl() {
        if (dataFolder != null && !Files.isDirectory(dataFolder) && isNamed(dataFolder)) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "--data: " + dataFolder + ": no control plane has kept anything there (expected: the --data of a"
                            + " control plane of this machine, or --url of another)");
        }
        Path file = existing("api.url");
        return URI.create(file == null ? DEFAULT_URL : read(file));
    }

    private @Nullable String token() {
        if (tokenFile != null) {
            return read(tokenFile);
        }
        // The local administrator's token is for the local control plane: it is not sent to a URL that somebody typed.
        Path file = url == null || ApiClient.isLoopback(url) ? existing("admin.token") : null;
        return file == null ? null : read(file);
    }

    /** Where there is usually a control plane there may be none yet, and the user has not said that there is. */
    private boolean isNamed(Path folder) {
        return !folder.toString().equals(spec.findOption("--data").defaultValue());
    }

    private @Nullable Path existing(String name) {
        Path file = dataFolder == null ? null : dataFolder.resolve(name);
        return file != null && Files.exists(file) ? file : null;
    }

    /** What stands in a file, such as a token. */
    public static String read(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (NoSuchFileException e) {
            throw new CommandFailure(ExitCode.USAGE, file + ": no such file");
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.USAGE, "cannot read " + file + ": " + e.getMessage());
        }
    }
}
