package io.parley.xds.bootstrap;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Finds the bootstrap: a file that was named, else what the environment says, as every gRPC client does. */
public final class BootstrapSource {
    public static final String FILE_VARIABLE = "GRPC_XDS_BOOTSTRAP";
    public static final String INLINE_VARIABLE = "GRPC_XDS_BOOTSTRAP_CONFIG";
    public static final String FILE_PROPERTY = "io.grpc.xds.bootstrap";
    public static final String INLINE_PROPERTY = "io.grpc.xds.bootstrapConfig";

    private BootstrapSource() {}

    /** Reads the file if one is named, else the file or the text that the environment gives. The first that is set decides. */
    public static BootstrapResult load(@Nullable Path file, Map<String, String> environment) {
        return load(file, environment, _ -> null);
    }

    /** Whether environment or system properties give a bootstrap, good or bad. */
    public static boolean isGiven(Map<String, String> environment, Function<String, @Nullable String> properties) {
        return environment.containsKey(FILE_VARIABLE)
                || environment.containsKey(INLINE_VARIABLE)
                || properties.apply(FILE_PROPERTY) != null
                || properties.apply(INLINE_PROPERTY) != null;
    }

    /**
     * Reads the file if one is named, else what environment and system properties give, in the order of grpc-java: both may name a file,
     * both may hold the text, a file goes first. The first that is set decides.
     */
    public static BootstrapResult load(
            @Nullable Path file, Map<String, String> environment, Function<String, @Nullable String> properties) {
        if (file != null) {
            return read(file);
        }
        String named = first(environment.get(FILE_VARIABLE), properties.apply(FILE_PROPERTY));
        if (named != null) {
            return read(named);
        }
        String inline = first(environment.get(INLINE_VARIABLE), properties.apply(INLINE_PROPERTY));
        if (inline != null) {
            return BootstrapParser.parse(inline.getBytes(UTF_8));
        }
        return new BootstrapResult.Rejected(List.of(new BootstrapError.NoSource()));
    }

    private static @Nullable String first(@Nullable String variable, @Nullable String property) {
        return variable == null ? property : variable;
    }

    private static BootstrapResult read(String named) {
        try {
            return read(Path.of(named));
        } catch (InvalidPathException e) {
            return unreadable(named, "it is no file name");
        }
    }

    private static BootstrapResult read(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            return BootstrapParser.parse(in.readNBytes(BootstrapParser.MAX_BYTES + 1));
        } catch (IOException e) {
            return unreadable(file.toString(), e.toString());
        }
    }

    private static BootstrapResult unreadable(String file, String reason) {
        return new BootstrapResult.Rejected(List.of(new BootstrapError.Unreadable(file, reason)));
    }
}
