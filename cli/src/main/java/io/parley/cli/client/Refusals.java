package io.parley.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;

/** Turns the API's problem documents into what a person at a terminal needs. */
final class Refusals {
    private Refusals() {}

    static CommandFailure failure(int status, JsonNode problem, URI server) {
        if (status == 404 && !problem.has("title")) {
            return new CommandFailure(
                    ExitCode.UNREACHABLE,
                    server + " answers, but not as the API of a control plane (expected: where its --api listens)");
        }
        StringBuilder text = new StringBuilder(
                problem.path("detail").asText(problem.path("title").asText("the control plane answered " + status)));
        for (JsonNode violation : problem.path("violations")) {
            String path = violation.path("path").asText();
            text.append("\n  ")
                    .append(path)
                    .append(path.isEmpty() ? "" : ": ")
                    .append(violation.path("message").asText());
        }
        return switch (status) {
            case 400, 413, 415, 422 -> new CommandFailure(ExitCode.INVALID, text.toString());
            case 401 ->
                new CommandFailure(
                        ExitCode.NOT_ALLOWED,
                        text + "\nGive a token with --token-file FILE; the control plane at " + server
                                + " keeps its administrator's in admin.token of its data folder, which --data DIR"
                                + " names.");
            case 403 -> new CommandFailure(ExitCode.NOT_ALLOWED, text.toString());
            case 404 -> new CommandFailure(ExitCode.NOT_FOUND, text.toString());
            case 409 -> new CommandFailure(ExitCode.CONFLICT, text.toString());
            case 503 -> new CommandFailure(ExitCode.UNREACHABLE, text.toString());
            default -> new CommandFailure(ExitCode.FAILED, text.toString());
        };
    }
}
