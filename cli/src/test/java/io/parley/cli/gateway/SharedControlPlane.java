package io.parley.cli.gateway;

import io.parley.cli.TestControlPlane;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** One control plane for all tests that ask for it, since to start one takes longer than most of them; it ends with the run. */
final class SharedControlPlane implements ParameterResolver {
    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == TestControlPlane.class;
    }

    @Override
    public TestControlPlane resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getRoot()
                .getStore(ExtensionContext.Namespace.create(SharedControlPlane.class))
                .computeIfAbsent(Shared.class, _ -> Shared.start(), Shared.class)
                .controlPlane();
    }

    private record Shared(TestControlPlane controlPlane, Path data) implements AutoCloseable {
        static Shared start() {
            try {
                Path data = Files.createTempDirectory("parley-gateways");
                return new Shared(TestControlPlane.start(data), data);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void close() throws IOException {
            controlPlane.close();
            try (Stream<Path> files = Files.walk(data)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }
}
