package io.parley.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import io.parley.cli.client.ApiClient;
import io.parley.cli.client.CommandFailure;
import io.parley.cli.client.ExitCode;
import io.parley.cli.client.ServerOptions;
import io.parley.control.api.ResourcePath;
import io.parley.control.explain.Explainer;
import io.parley.resource.KindId;
import io.parley.resource.ResourceKey;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code parley inspect dataplane NAME}: everything that is known of one data plane, with the reasons. */
@Command(name = "dataplane", description = "Show what one data plane offered, what was agreed, and why.")
@SuppressWarnings("NullAway.Init") // fields are set by picocli
public final class InspectDataplaneCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Mixin
    private ServerOptions server;

    @Parameters(paramLabel = "NAME", description = "The data plane.")
    private String name;

    @Option(
            names = {"-m", "--mesh"},
            paramLabel = "MESH",
            defaultValue = "default",
            description = "Its mesh. Default: ${DEFAULT-VALUE}.")
    private String mesh;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "text",
            description = "text, or json for programs. Default: ${DEFAULT-VALUE}.")
    private Output output;

    /** How to print. */
    enum Output {
        TEXT,
        JSON
    }

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        try (ApiClient client = server.client()) {
            JsonNode dataplane = find(client, "Dataplane");
            JsonNode insight = find(client, "DataplaneInsight");
            if (dataplane.isMissingNode() && insight.isMissingNode()) {
                throw new CommandFailure(
                        ExitCode.NOT_FOUND,
                        "no data plane " + name + " in mesh " + mesh + " ('parley inspect dataplanes' lists them)");
            }
            if (output == Output.JSON) {
                out.println(insight.isMissingNode() ? "{}" : insight.toPrettyString());
            } else {
                print(new DataplaneView(mesh, name, dataplane, insight), out);
                printNotDone(client, out);
            }
        }
    }

    private JsonNode find(ApiClient client, String kind) {
        try {
            return client.get(ResourcePath.of(new ResourceKey(new KindId(kind), mesh, name)))
                    .body();
        } catch (CommandFailure e) {
            if (e.exitCode() == ExitCode.NOT_FOUND) {
                return DataplaneView.NOTHING;
            }
            throw e;
        }
    }

    private static void print(DataplaneView view, PrintWriter out) {
        line(out, view.name() + " of mesh " + view.mesh() + ": " + view.status());
        if (view.isUndeclared()) {
            line(
                    out,
                    "  gets no configuration: there is no Dataplane " + view.name() + " in mesh " + view.mesh()
                            + " ('parley apply' one)");
        }
        JsonNode node = view.negotiation().path("node");
        if (!node.isMissingNode()) {
            line(
                    out,
                    "  runs " + node.path("type").asText() + " "
                            + node.path("version").asText() + " on "
                            + node.path("hostname").asText());
        }
        printNegotiation(view.negotiation(), out);
        printSubscriptions(view.insight(), out);
        printDecisions(view.insight().path("report").path("decisions"), out);
    }

    /** What the control plane could not make of its configuration. */
    private void printNotDone(ApiClient client, PrintWriter out) {
        String question =
                "/meshes/" + AnswerFormat.encode(mesh) + "/explain/policy?dataplane=" + AnswerFormat.encode(name);
        JsonNode steps;
        try {
            steps = client.get(question).body().path("steps");
        } catch (CommandFailure e) {
            if (e.exitCode() == ExitCode.NOT_FOUND) {
                return;
            }
            throw e;
        }
        boolean first = true;
        for (JsonNode step : steps) {
            if (step.path("about").asText().equals(Explainer.NOT_DONE)) {
                if (first) {
                    line(out, "Not done for it");
                    first = false;
                }
                line(out, "  " + step.path("because").asText());
            }
        }
    }

    private static void printNegotiation(JsonNode negotiation, PrintWriter out) {
        if (negotiation.isMissingNode()) {
            return;
        }
        line(out, "Negotiation of " + negotiation.path("time").asText());
        if (negotiation.has("problem")) {
            line(out, "  invalid: " + negotiation.path("problem").asText());
        }
        for (JsonNode offer : negotiation.path("offered")) {
            String service = offer.path("service").asText();
            line(out, "  " + service + ": offered " + versions(offer.path("versions")));
            for (JsonNode accepted : negotiation.path("accepted")) {
                if (accepted.path("service").asText().equals(service)) {
                    line(
                            out,
                            "    accepted " + accepted.path("version").asText() + " because "
                                    + accepted.path("because").asText());
                    printIfThere("    " + (accepted.has("deprecated") ? "deprecated: " : "told: "), accepted, out);
                }
            }
            for (JsonNode rejected : negotiation.path("rejected")) {
                if (rejected.path("service").asText().equals(service)) {
                    line(out, "    rejected: " + rejected.path("message").asText());
                }
            }
        }
    }

    private static void printIfThere(String before, JsonNode outcome, PrintWriter out) {
        String message = outcome.path("message").asText();
        if (!message.isEmpty()) {
            line(out, before + message);
        }
    }

    private static void printSubscriptions(JsonNode insight, PrintWriter out) {
        for (JsonNode subscription : insight.path("subscriptions")) {
            String until = subscription.has("disconnectTime")
                    ? " until " + subscription.path("disconnectTime").asText()
                    : ", still open";
            line(
                    out,
                    "Connection by " + subscription.path("protocol").asText() + " since "
                            + subscription.path("connectTime").asText() + until);
            for (var type : subscription.path("status").properties()) {
                JsonNode state = type.getValue();
                String shortName = type.getKey().substring(type.getKey().lastIndexOf('.') + 1);
                line(
                        out,
                        "  " + shortName + ": runs on "
                                + state.path("version").asText() + "; accepted "
                                + state.path("responsesAcknowledged").asLong() + ", rejected "
                                + state.path("responsesRejected").asLong());
                if (state.has("rejection")) {
                    line(out, "    rejects " + state.path("rejection").asText());
                }
            }
        }
    }

    private static void printDecisions(JsonNode decisions, PrintWriter out) {
        if (!decisions.isEmpty()) {
            line(out, "Decisions that it reported");
        }
        for (JsonNode decision : decisions) {
            line(
                    out,
                    "  " + decision.path("subject").asText() + ": "
                            + decision.path("decision").asText() + " because "
                            + decision.path("because").asText());
        }
    }

    private static void line(PrintWriter out, String text) {
        out.println(Table.printable(text));
    }

    private static String versions(JsonNode list) {
        StringBuilder text = new StringBuilder();
        list.forEach(version -> text.append(text.isEmpty() ? "" : ", ").append(version.asText()));
        return text.toString();
    }
}
