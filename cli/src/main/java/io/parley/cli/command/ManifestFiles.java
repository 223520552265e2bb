package io.parley.cli.command;

import io.parley.cli.client.CommandFailure;
import io.parley.cli.client.ExitCode;
import io.parley.resource.Resource;
import io.parley.resource.manifest.ManifestReader;
import io.parley.resource.manifest.Manifests;
import io.parley.resource.manifest.StatusField;
import io.parley.resource.text.Syntax;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Manifests from files, folders and standard input. All of them are good, or the command ends with everything that is wrong. */
final class ManifestFiles {
    private static final List<String> ENDINGS = List.of(".yaml", ".yml", ".json");
    private static final String STANDARD_INPUT = "-";

    private ManifestFiles() {}

    /** Refuses all of them if there is anything in them that is not ours. */
    static List<Resource> read(List<String> names) {
        return read(names, null);
    }

    /** Leaves out what others run, and tells {@code leftOut} so. */
    static List<Resource> read(List<String> names, @Nullable Consumer<String> leftOut) {
        List<Resource> resources = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        for (String name : names) {
            for (Source source : sources(name, leftOut)) {
                resources.addAll(source.manifests().resources());
                if (source.manifests() instanceof Manifests.Faulty faulty) {
                    faulty.problems().forEach(problem -> problems.add(source.name() + ": " + problem));
                }
            }
        }
        if (!problems.isEmpty()) {
            throw new CommandFailure(ExitCode.INVALID, "nothing was applied\n  " + String.join("\n  ", problems));
        }
        return resources;
    }

    /** What people call it. */
    static String shown(String name) {
        return name.equals(STANDARD_INPUT) ? "standard input" : name;
    }

    private record Source(String name, Manifests manifests) {
        static Source read(String name, byte[] bytes, @Nullable Consumer<String> leftOut) {
            Syntax syntax = name.endsWith(".json") ? Syntax.JSON : Syntax.YAML;
            Consumer<String> told = leftOut == null ? null : subject -> leftOut.accept(name + ": " + subject);
            return new Source(name, new ManifestReader(StatusField.DROP, told).read(bytes, syntax));
        }
    }

    private static List<Source> sources(String name, @Nullable Consumer<String> leftOut) {
        try {
            if (name.equals(STANDARD_INPUT)) {
                return List.of(Source.read(shown(name), System.in.readAllBytes(), leftOut));
            }
            Path path = Path.of(name);
            if (!Files.exists(path)) {
                throw new CommandFailure(ExitCode.USAGE, name + ": no such file or folder");
            }
            List<Source> sources = new ArrayList<>();
            for (Path file : Files.isDirectory(path) ? manifestsIn(path) : List.of(path)) {
                sources.add(Source.read(file.toString(), Files.readAllBytes(file), leftOut));
            }
            return sources;
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.USAGE, "cannot read " + name + ": " + e.getMessage());
        }
    }

    private static List<Path> manifestsIn(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> ENDINGS.stream().anyMatch(file.toString()::endsWith))
                    .sorted()
                    .collect(Collectors.toList());
        }
    }
}
