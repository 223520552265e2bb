package io.parley.control.model;

import com.fasterxml.jackson.databind.JsonNode;
import io.parley.resource.Resource;
import io.parley.resource.Result;
import io.parley.resource.Violation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

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

    /**
     * A name for a service.
     *
     * @param tags of what is called by it, the service's own among them: those that the name is made from
     */
    public record HostName(String host, int port, String from, Map<String, String> tags) {
        public HostName {
            tags = Map.copyOf(tags);
        }

        public String service() {
            return tags.getOrDefault(Names.SERVICE, "");
        }

        @Override
        public String toString() {
            return host + ":" + port;
        }
    }

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
        List<Violation> violations = new ArrayList<>();
        String host = template(conf, "host", parameters, violations);
        String port = template(conf, "port", parameters, violations);
        if (!parameters.containsValue(Names.SERVICE)) {
            violations.add(new Violation(
                    "conf.parameters", "no tagKey " + Names.SERVICE + " (expected: one, a name is for one service)"));
        }
        return violations.isEmpty()
                ? new Result.Accepted<>(new VirtualOutbound(resource.key().name(), selectors, host, port, parameters))
                : new Result.Rejected<>(violations);
    }

    private static String template(
            JsonNode conf, String field, Map<String, String> parameters, List<Violation> violations) {
        String text = conf.path(field).asText();
        if (text.isEmpty()) {
            violations.add(new Violation("conf." + field, "missing (expected: a template)"));
        }
        PLACE.matcher(text)
                .results()
                .map(place -> place.group(1))
                .filter(name -> !parameters.containsKey(name))
                .forEach(name -> violations.add(new Violation(
                        "conf." + field, "{{." + name + "}} (expected: one of " + parameters.keySet() + ")")));
        if (PLACE.matcher(text).replaceAll("").contains("{{")) {
            violations.add(new Violation("conf." + field, text + " (expected: nothing but {{.PARAMETER}} in braces)"));
        }
        return text;
    }

    /** The name that this gives to what carries these tags, if it is meant and a name comes out. */
    public Optional<HostName> nameOf(Map<String, String> tags) {
        boolean meant = selectors.stream().anyMatch(selector -> fits(selector, tags))
                && tags.keySet().containsAll(parameters.values());
        if (!meant) {
            return Optional.empty();
        }
        String filledHost = fill(host, tags);
        String filledPort = fill(port, tags);
        if (!HOST.matcher(filledHost).matches() || !filledPort.matches("[1-9][0-9]{0,4}")) {
            return Optional.empty();
        }
        int number = Integer.parseInt(filledPort);
        Map<String, String> from = new LinkedHashMap<>();
        parameters.values().forEach(tag -> from.put(tag, tags.getOrDefault(tag, "")));
        return number > 65535 ? Optional.empty() : Optional.of(new HostName(filledHost, number, name, from));
    }

    /** All names that come out for these; most of them carry the same in those of their tags that matter. */
    Stream<HostName> namesOf(Stream<Map<String, String>> all) {
        Set<String> keys = new HashSet<>(parameters.values());
        selectors.forEach(selector -> keys.addAll(selector.keySet()));
        return all.map(tags -> those(tags, keys))
                .distinct()
                .flatMap(tags -> nameOf(tags).stream())
                .distinct();
    }

    private static Map<String, String> those(Map<String, String> tags, Set<String> keys) {
        Map<String, String> found = new HashMap<>();
        for (String key : keys) {
            String value = tags.get(key);
            if (value != null) {
                found.put(key, value);
            }
        }
        return found;
    }

    private String fill(String template, Map<String, String> tags) {
        Matcher place = PLACE.matcher(template);
        StringBuilder filled = new StringBuilder();
        while (place.find()) {
            String tag = tags.getOrDefault(parameters.getOrDefault(place.group(1), ""), "");
            place.appendReplacement(filled, Matcher.quoteReplacement(tag));
        }
        return place.appendTail(filled).toString();
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
