package io.parley.control.api;

import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.parley.control.access.Action;
import io.parley.control.access.Caller;
import io.parley.control.keys.SigningKeys;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code /tokens/keys}: the keys that sign tokens, of all tenants, so that only operators have to do with them. */
final class KeyEndpoint {
    private static final Logger AUDIT = LoggerFactory.getLogger("audit");

    /** What is told of a key. */
    private record Key(String id, boolean signs) {}

    private final SigningKeys keys;

    KeyEndpoint(SigningKeys keys) {
        this.keys = keys;
    }

    HttpResponse list(ServiceRequestContext context, AggregatedHttpRequest _http) {
        authorise(context);
        List<String> ids = keys.ids();
        List<Key> items =
                ids.stream().map(id -> new Key(id, id.equals(ids.getLast()))).toList();
        return Json.answer(HttpStatus.OK, Map.of("items", items));
    }

    HttpResponse replace(ServiceRequestContext context, AggregatedHttpRequest _http) {
        Caller caller = authorise(context);
        String id = keys.replace().id();
        AUDIT.info("{} made {}, which signs tokens from now on", caller.fullName(), id);
        return Json.answer(HttpStatus.CREATED, new Key(id, true));
    }

    HttpResponse retire(ServiceRequestContext context, AggregatedHttpRequest _http) {
        Caller caller = authorise(context);
        String id = Objects.requireNonNull(context.pathParam("id"));
        try {
            if (!keys.retire(id)) {
                throw Problem.of(
                                HttpStatus.NOT_FOUND,
                                "not-found",
                                "No such key",
                                id + " (expected: " + keys.ids() + ")")
                        .asException();
            }
        } catch (IllegalArgumentException e) {
            throw Problem.of(HttpStatus.CONFLICT, "key-in-use", "This key is in use", String.valueOf(e.getMessage()))
                    .asException();
        }
        AUDIT.info("{} retired {}, and with it every token that it has signed", caller.fullName(), id);
        return Json.answer(HttpStatus.OK, Map.of("retired", id));
    }

    private static Caller authorise(ServiceRequestContext context) {
        Authentication.require(context, Action.ISSUE_TOKEN);
        Caller caller = Authentication.caller(context);
        if (!caller.tenant().isEmpty()) {
            throw Problem.of(
                            HttpStatus.FORBIDDEN,
                            "not-allowed",
                            "Not for tenants",
                            "the keys sign the tokens of all tenants (expected: an operator's token)")
                    .asException();
        }
        return caller;
    }
}
