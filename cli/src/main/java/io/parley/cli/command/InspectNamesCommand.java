package io.parley.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code parley inspect names}: the host names that VirtualOutbounds make, and where they lead. */
@Command(
        name = "names",
        description = "Show the host names of a mesh's services, their addresses and what they stand for.")
@SuppressWarnings("NullAway.Init") // fields are set by picocli
public final class InspectNamesCommand implements Runnable {
    /** For whom to print lines of {@code /etc/hosts}. */
    enum Hosts {
        INTERCEPTED,
        LOOPBACK
    }

    @Spec
    private CommandSpec spec;

    @Mixin
    private MeshQuestion question;

    @Option(
            names = "--hosts",
            paramLabel = "FOR",
            description = "Print lines for /etc/hosts instead: of workloads that are intercepted, or that find names on"
                    + " loopback.")
    private @Nullable Hosts hosts;

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        JsonNode items = question.list("inspect/names", out);
        if (items == null) {
            return;
        }
        if (hosts != null) {
            lines(items, hosts == Hosts.INTERCEPTED ? "address" : "loopback").forEach(out::println);
            return;
        }
        Table table = new Table("NAME", "PORT", "ADDRESS", "LOOPBACK", "SERVICE", "TAGS", "FROM");
        items.forEach(each -> table.add(
                each.path("host").asText(),
                each.path("port").asText(),
                each.path("address").asText(),
                each.path("loopback").asText(),
                each.path("service").asText(),
                tags(each.path("tags")),
                each.path("virtualOutbound").asText()));
        table.print(out);
    }

    private static Set<String> lines(JsonNode items, String field) {
        Set<String> lines = new LinkedHashSet<>();
        items.forEach(each ->
                lines.add(each.path(field).asText() + " " + each.path("host").asText()));
        return lines;
    }

    private static String tags(JsonNode tags) {
        StringBuilder text = new StringBuilder();
        tags.properties()
                .forEach(tag -> text.append(text.isEmpty() ? "" : ",")
                        .append(tag.getKey())
                        .append('=')
                        .append(tag.getValue().asText()));
        return text.isEmpty() ? "-" : text.toString();
    }
}
