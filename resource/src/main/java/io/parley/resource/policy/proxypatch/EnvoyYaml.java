package io.parley.resource.policy.proxypatch;

import com.fasterxml.jackson.databind.JsonNode;
import io.parley.resource.text.Syntax;
import io.parley.resource.text.TextDocument;
import io.parley.resource.text.TextReader;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Proxy configuration that stands as text in a policy. What it means to Envoy is checked where it is applied. */
final class EnvoyYaml {
    private EnvoyYaml() {}

    static boolean isMapping(String text) {
        List<TextDocument> documents = TextReader.read(text.getBytes(StandardCharsets.UTF_8), Syntax.YAML);
        return documents.size() == 1
                && documents.getFirst() instanceof TextDocument.Read(int _, JsonNode tree)
                && tree.isObject();
    }
}
