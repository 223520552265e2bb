package io.parley.xds.bootstrap;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds the bootstrap: a file that was named, else what the environment says, as every gRPC client does. */
public final class BootstrapSource {
    public static final String FILE_VARIABLE = "GRPC_XDS_BOOTSTRAP";
    public static final String INLINE_VARIABLE = "GRPC_XDS_BOOTSTRAP_CONFIG";

    private BootstrapSource() {}

    /** Reads the file if one is named, else the file or the text that the environment gives. The first that is set decides. */
    public static BootstrapResult load(@Nullable Path file, Map<String, String> environment) {
        if (file != null) {
            return read(file);
        }
        String named = environment.get(FILE_VARIABLE);
        if (named != null) {
            try {
                return read(Path.of(named));
            } catch (InvalidPathException e) {
                return unreadable(named, "it is no file name");
            }
        }
        String inline = environment.get(INLINE_VARIABLE);
        if (inline != null) {
            return BootstrapParser.parse(inline.getBytes(UTF_8));
        }
        return new BootstrapResult.Rejected(List.of(new BootstrapError.NoSource()));
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
