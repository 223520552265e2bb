package io.parley.control.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.parley.control.access.Action;
import io.parley.control.access.Caller;
import io.parley.control.keys.Revocations;
import io.parley.identity.token.Subject;
import io.parley.identity.token.TokenIssuer;
import io.parley.resource.Violation;
import io.parley.resource.read.Durations;
import io.parley.resource.text.Syntax;
import io.parley.resource.text.TextDocument;
import io.parley.resource.text.TextReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code POST /tokens/user}, {@code /tokens/dataplane}, {@code /tokens/zone} and {@code /tokens/revocations}. */
final class TokenEndpoint {
    private static final Logger AUDIT = LoggerFactory.getLogger("audit");
    private static final Duration LONGEST = Duration.ofDays(365);

    private final TokenIssuer issuer;
    private final Revocations revocations;

    TokenEndpoint(TokenIssuer issuer, Revocations revocations) {
        this.issuer = issuer;
        this.revocations = revocations;
    }

    HttpResponse user(ServiceRequestContext context, AggregatedHttpRequest http) {
        Request request = authorised(context, http);
        String name = request.name("name");
        Set<String> groups = request.groups();
        return issue(context, request, () -> new Subject.User(name, groups), Duration.ofHours(8));
    }

    HttpResponse dataplane(ServiceRequestContext context, AggregatedHttpRequest http) {
        Request request = authorised(context, http);
        String mesh = request.name("mesh");
        String name = request.name("name");
        return issue(
                context,
                request,
                () -> new Subject.Dataplane(mesh, name, request.text("tenant")),
                Duration.ofHours(24));
    }

    HttpResponse gateway(ServiceRequestContext context, AggregatedHttpRequest http) {
        Request request = authorised(context, http);
        String namespace = request.name("namespace");
        String name = request.name("name");
        return issue(context, request, () -> new Subject.Gateway(namespace, name), Duration.ofHours(24));
    }

    HttpResponse zone(ServiceRequestContext context, AggregatedHttpRequest http) {
        Request request = authorised(context, http);
        String zone = request.name("zone");
        return issue(context, request, () -> new Subject.Zone(zone, request.text("tenant")), Duration.ofDays(30));
    }

    HttpResponse revoke(ServiceRequestContext context, AggregatedHttpRequest http) {
        Request request = authorised(context, http);
        String id = request.name("id");
        request.refuseIfBad();
        revocations.add(id);
        AUDIT.info("{} revoked the token {}", Authentication.caller(context).name(), id);
        return Json.answer(HttpStatus.OK, Map.of("revoked", id));
    }

    private HttpResponse issue(
            ServiceRequestContext context,
            Request request,
            java.util.function.Supplier<Subject> subject,
            Duration usually) {
        Duration validFor = request.validFor(usually);
        request.refuseIfBad();
        Subject checked = subject.get();
        String token = issuer.issue(checked, validFor);
        AUDIT.info(
                "{} issued a token for {} valid for {}",
                Authentication.caller(context).name(),
                checked,
                validFor);
        return Json.answer(HttpStatus.OK, Map.of("token", token));
    }

    private static Request authorised(ServiceRequestContext context, AggregatedHttpRequest http) {
        Authentication.require(context, Action.ISSUE_TOKEN);
        return Request.read(http.content().array());
    }

    /** The body of a request for a token, and everything that is wrong with it. */
    private record Request(JsonNode body, List<Violation> violations) {
        static Request read(byte[] bytes) {
            List<TextDocument> documents = TextReader.read(bytes, Syntax.JSON);
            if (documents.size() == 1
                    && documents.getFirst() instanceof TextDocument.Read(int _, JsonNode tree)
                    && tree.isObject()) {
                return new Request(tree, new ArrayList<>());
            }
            throw Problem.invalid("The request's body is not one JSON object.", List.of())
                    .asException();
        }

        String text(String field) {
            return body.path(field).asText("");
        }

        String name(String field) {
            String value = text(field);
            if (value.isBlank() || value.length() > 253) {
                violations.add(new Violation(field, "'" + value + "' (expected: a name of 1 to 253 characters)"));
            }
            return value;
        }

        Set<String> groups() {
            Set<String> groups = new LinkedHashSet<>();
            body.path("groups").forEach(group -> groups.add(group.asText()));
            for (String group : groups) {
                if (!Caller.GROUPS.contains(group)) {
                    violations.add(new Violation("groups", group + " (expected: one of " + Caller.GROUPS + ")"));
                }
            }
            return groups;
        }

        Duration validFor(Duration usually) {
            if (!body.has("validFor")) {
                return usually;
            }
            Duration asked = Durations.parse(text("validFor")).orElse(Duration.ZERO);
            if (asked.compareTo(Duration.ofSeconds(1)) < 0 || asked.compareTo(LONGEST) > 0) {
                violations.add(new Violation(
                        "validFor",
                        text("validFor") + " (expected: a duration from 1s to " + LONGEST.toHours()
                                + "h, such as 8h)"));
            }
            return asked;
        }

        void refuseIfBad() {
            if (!violations.isEmpty()) {
                throw Problem.invalid("The request for a token is not valid.", violations)
                        .asException();
            }
        }
    }
}
