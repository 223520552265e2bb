package io.parley.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.parley.cli.client.CommandFailure;
import io.parley.cli.client.ExitCode;
import io.parley.resource.text.Syntax;
import io.parley.resource.text.TextDocument;
import io.parley.resource.text.TextReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** Reads a YAML file of settings: one flat mapping, a list where an option may be given several times. */
final class ConfigFile {
    private ConfigFile() {}

    static Map<String, String> read(Path file) {
        List<TextDocument> documents = TextReader.read(bytes(file), Syntax.YAML);
        if (documents.isEmpty()) {
            return Map.of();
        }
        if (documents.size() > 1) {
            throw new CommandFailure(ExitCode.USAGE, file + ": " + documents.size() + " documents (expected: one)");
        }
        return switch (documents.getFirst()) {
            case TextDocument.Unreadable unreadable ->
                throw new CommandFailure(ExitCode.USAGE, file + ": " + unreadable.message());
            case TextDocument.Read read -> settings(file, read.tree());
        };
    }

    private static Map<String, String> settings(Path file, JsonNode tree) {
        if (!tree.isObject()) {
            throw new CommandFailure(ExitCode.USAGE, file + ": not a mapping (expected: SETTING: VALUE)");
        }
        Map<String, String> settings = new LinkedHashMap<>();
        tree.properties().forEach(entry -> settings.put(entry.getKey(), value(file, entry.getKey(), entry.getValue())));
        return settings;
    }

    private static String value(Path file, String key, JsonNode node) {
        if (node.isArray()) {
            return StreamSupport.stream(node.spliterator(), false)
                    .map(item -> value(file, key, item))
                    .collect(Collectors.joining(","));
        }
        if (!node.isValueNode() || node.isNull()) {
            throw new CommandFailure(ExitCode.USAGE, file + ": " + key + ": " + node + " (expected: a plain value)");
        }
        return node.asText();
    }

    private static byte[] bytes(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            throw new CommandFailure(ExitCode.USAGE, file + ": no such file");
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.USAGE, "cannot read " + file + ": " + e.getMessage());
        }
    }
}
