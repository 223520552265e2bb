package io.parley.control.model;

import com.fasterxml.jackson.databind.JsonNode;
import io.parley.resource.Resource;
import io.parley.resource.Result;
import io.parley.resource.Violation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes host names and ports of services from their tags.
 *
 * @param selectors the tags of one of them must fit; {@code *} for any value
 * @param host a template such as {@code {{.service}}.mesh}
 * @param parameters the tag behind each name of a template
 */
public record VirtualOutbound(
        String name, List<Map<String, String>> selectors, String host, String port, Map<String, String> parameters) {
    private static final Pattern PLACE = Pattern.compile("\\{\\{\\s*\\.([A-Za-z0-9_]+)\\s*}}");
    private static final Pattern HOST = Pattern.compile("[a-z0-9]([-a-z0-9_.]{0,251}[a-z0-9])?");

    /** A name for a service. */
    public record HostName(String host, int port, String from) {}

    static Result<VirtualOutbound> read(Resource resource) {
        JsonNode tree = resource.spec().tree();
        List<Map<String, String>> selectors = new ArrayList<>();
        tree.path("selectors").forEach(selector -> selectors.add(texts(selector.path("match"))));
        JsonNode conf = tree.path("conf");
        Map<String, String> parameters = new LinkedHashMap<>();
        conf.path("parameters")
                .forEach(parameter -> parameters.put(
                        parameter.path("name").asText(),
                        parameter.path("tagKey").asText(parameter.path("name").asText())));
        String host = conf.path("host").asText();
        String port = conf.path("port").asText();
        if (host.isEmpty() || port.isEmpty()) {
            return new Result.Rejected<>(
                    List.of(new Violation("conf", "host and port are needed (expected: templates)")));
        }
        return new Result.Accepted<>(new VirtualOutbound(resource.key().name(), selectors, host, port, parameters));
    }

    /** The name that this gives to what carries these tags, if it is meant and a name comes out. */
    public Optional<HostName> nameOf(Map<String, String> tags) {
        boolean meant = selectors.stream().anyMatch(selector -> fits(selector, tags));
        Optional<String> filledHost = meant ? fill(host, tags) : Optional.empty();
        Optional<String> filledPort = meant ? fill(port, tags) : Optional.empty();
        if (filledHost.isEmpty()
                || filledPort.isEmpty()
                || !HOST.matcher(filledHost.get()).matches()
                || !filledPort.get().matches("[1-9][0-9]{0,4}")) {
            return Optional.empty();
        }
        int number = Integer.parseInt(filledPort.get());
        return number > 65535 ? Optional.empty() : Optional.of(new HostName(filledHost.get(), number, name));
    }

    private Optional<String> fill(String template, Map<String, String> tags) {
        Matcher place = PLACE.matcher(template);
        StringBuilder filled = new StringBuilder();
        while (place.find()) {
            String tag = tags.get(parameters.getOrDefault(place.group(1), ""));
            if (tag == null) {
                return Optional.empty();
            }
            place.appendReplacement(filled, Matcher.quoteReplacement(tag));
        }
        return Optional.of(place.appendTail(filled).toString());
    }

    private static boolean fits(Map<String, String> selector, Map<String, String> tags) {
        return selector.entrySet().stream()
                .allMatch(wanted -> wanted.getValue().equals("*")
                        ? tags.containsKey(wanted.getKey())
                        : wanted.getValue().equals(tags.get(wanted.getKey())));
    }

    private static Map<String, String> texts(JsonNode node) {
        Map<String, String> texts = new LinkedHashMap<>();
        node.properties()
                .forEach(field -> texts.put(field.getKey(), field.getValue().asText()));
        return texts;
    }
}
