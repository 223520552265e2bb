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
import io.parley.identity.token.Token;
import io.parley.identity.token.TokenIssuer;
import io.parley.identity.token.TokenVerifier;
import io.parley.identity.token.Verification;
import io.parley.resource.Violation;
import io.parley.resource.kind.NameRule;
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
import java.util.UUID;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code POST /tokens/user}, {@code /tokens/dataplane}, {@code /tokens/zone}, {@code /tokens/zone-proxy} and {@code /tokens/revocations}. */
final class TokenEndpoint {
    private static final Logger AUDIT = LoggerFactory.getLogger("audit");
    private static final Duration LONGEST = Duration.ofDays(365);
    private static final Pattern TOKEN_ID = Pattern.compile("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}");

    private final String realm;
    private final Set<String> tenants;
    private final TokenIssuer issuer;
    private final TokenVerifier verifier;
    private final Revocations revocations;

    /**
     * @param realm of the tenant for whom tokens are issued; that of the operators has no name
     * @param tenants those that have a realm here, by name
     */
    TokenEndpoint(
            String realm, Set<String> tenants, TokenIssuer issuer, TokenVerifier verifier, Revocations revocations) {
        this.realm = realm;
        this.tenants = tenants;
        this.issuer = issuer;
        this.verifier = verifier;
        this.revocations = revocations;
    }

    HttpResponse user(ServiceRequestContext context, AggregatedHttpRequest http) {
        Request request = authorised(context, http);
        String name = request.name("name");
        Set<String> groups = request.groups();
        String tenant = tenant(request);
        return issue(context, request, () -> new Subject.User(name, groups, tenant), Duration.ofHours(8));
    }

    HttpResponse dataplane(ServiceRequestContext context, AggregatedHttpRequest http) {
        Request request = authorisedForProxies(context, http);
        String mesh = request.name("mesh");
        String tenant = request.text("tenant");
        if (request.has("service") && !request.has("name")) {
            String service = request.name("service");
            return issue(context, request, () -> new Subject.Service(mesh, service, tenant), Duration.ofHours(24));
        }
        String name = request.resourceName("name");
        if (request.has("service")) {
            request.violations()
                    .add(new Violation("service", "beside a name (expected: a name or a service, not both)"));
        }
        return issue(context, request, () -> new Subject.Dataplane(mesh, name, tenant), Duration.ofHours(24));
    }

    HttpResponse gateway(ServiceRequestContext context, AggregatedHttpRequest http) {
        Request request = authorisedForProxies(context, http);
        String namespace = request.name("namespace");
        String name = request.name("name");
        return issue(context, request, () -> new Subject.Gateway(namespace, name), Duration.ofDays(30));
    }

    HttpResponse zone(ServiceRequestContext context, AggregatedHttpRequest http) {
        Request request = authorised(context, http);
        String zone = request.name("zone");
        String tenant = tenant(request);
        return issue(context, request, () -> new Subject.Zone(zone, tenant), Duration.ofDays(30));
    }

    HttpResponse zoneProxy(ServiceRequestContext context, AggregatedHttpRequest http) {
        Request request = authorisedForProxies(context, http);
        String name = request.name("name");
        return issue(context, request, () -> new Subject.ZoneProxy(name), Duration.ofDays(30));
    }

    HttpResponse revoke(ServiceRequestContext context, AggregatedHttpRequest http) {
        Request request = authorised(context, http);
        UUID id = tokenId(request.text("id").strip());
        revocations.add(id);
        AUDIT.info("{} revoked the token {}", Authentication.caller(context).fullName(), id);
        return Json.answer(HttpStatus.OK, Map.of("revoked", id.toString()));
    }

    /** A token is withdrawn by its id or by itself: whoever finds one lying about has no id. It is not said back. */
    private UUID tokenId(String given) {
        if (TOKEN_ID.matcher(given).matches()) {
            return UUID.fromString(given);
        }
        return switch (verifier.verify(given)) {
            case Verification.Valid(Token token) when isOfThisRealm(token) -> UUID.fromString(token.id());
            case Verification.Valid(Token token) ->
                throw notRevocable("of tenant " + token.subject().tenant());
            case Verification.Refused(String reason) -> throw notRevocable(reason);
        };
    }

    private boolean isOfThisRealm(Token token) {
        String tenant = token.subject().tenant();
        return realm.equals(tenants.contains(tenant) ? tenant : "");
    }

    private static ProblemException notRevocable(String reason) {
        String expected = " (expected: a token that is still good here, or its id, the claim jti, which is a UUID)";
        return Problem.invalid(
                        "Nothing that could be revoked was named.", List.of(new Violation("id", reason + expected)))
                .asException();
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
                Authentication.caller(context).fullName(),
                checked,
                validFor);
        return Json.answer(HttpStatus.OK, Map.of("token", token));
    }

    /** The realm's own. Operators may name another; where there are no realms, it is no more than a word in the token. */
    private String tenant(Request request) {
        String asked = request.text("tenant");
        boolean free = realm.isEmpty() && (tenants.isEmpty() || tenants.contains(asked));
        if (!asked.isEmpty() && !asked.equals(realm) && !free) {
            request.violations()
                    .add(new Violation(
                            "tenant", asked + " (expected: " + (realm.isEmpty() ? "one of " + tenants : realm) + ")"));
        }
        return asked.isEmpty() ? realm : asked;
    }

    /** Proxies that join this control plane are its operators'; those of a tenant join its zones. */
    private Request authorisedForProxies(ServiceRequestContext context, AggregatedHttpRequest http) {
        if (!realm.isEmpty()) {
            throw Problem.of(
                            HttpStatus.FORBIDDEN,
                            "not-allowed",
                            "Not at this control plane",
                            "proxies of tenant " + realm + " join its zones (expected: a token from a zone's own"
                                    + " control plane)")
                    .asException();
        }
        return authorised(context, http);
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

        boolean has(String field) {
            return !text(field).isEmpty();
        }

        /** One that a resource can have. */
        String resourceName(String field) {
            String value = text(field);
            if (!NameRule.SUBDOMAIN.accepts(value)) {
                violations.add(new Violation(field, "'" + value + "' (expected: " + NameRule.SUBDOMAIN + ")"));
            }
            return value;
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
