package io.parley.control.api;

import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.parley.control.access.Action;
import io.parley.control.explain.Explainer;
import io.parley.control.explain.UnknownName;
import io.parley.resource.Violation;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** {@code GET /meshes/{mesh}/explain/…} and {@code …/inspect/…}: what is in force, and why. */
final class ExplainEndpoint {
    private final Explainer explainer;

    ExplainEndpoint(Explainer explainer) {
        this.explainer = explainer;
    }

    HttpResponse connection(ServiceRequestContext context, AggregatedHttpRequest request) {
        return answer(
                context, () -> explainer.connection(mesh(context), required(context, "from"), required(context, "to")));
    }

    HttpResponse policy(ServiceRequestContext context, AggregatedHttpRequest request) {
        return answer(
                context,
                () -> explainer.policy(mesh(context), required(context, "dataplane"), context.queryParam("to")));
    }

    HttpResponse meshes(ServiceRequestContext context, AggregatedHttpRequest request) {
        return list(context, explainer::meshes);
    }

    HttpResponse services(ServiceRequestContext context, AggregatedHttpRequest request) {
        return list(context, () -> explainer.services(mesh(context)));
    }

    HttpResponse names(ServiceRequestContext context, AggregatedHttpRequest request) {
        return list(context, () -> explainer.names(mesh(context)));
    }

    HttpResponse policies(ServiceRequestContext context, AggregatedHttpRequest request) {
        return list(context, () -> explainer.policies(mesh(context)));
    }

    private static HttpResponse list(ServiceRequestContext context, Supplier<List<?>> lines) {
        return answer(context, () -> {
            List<?> items = lines.get();
            return Map.of("total", items.size(), "items", items);
        });
    }

    private static HttpResponse answer(ServiceRequestContext context, Supplier<Object> answer) {
        Authentication.require(context, Action.READ);
        try {
            return Json.answer(HttpStatus.OK, answer.get());
        } catch (UnknownName e) {
            throw Problem.notFound(String.valueOf(e.getMessage())).asException();
        }
    }

    private static String mesh(ServiceRequestContext context) {
        return String.valueOf(context.pathParam("mesh"));
    }

    private static String required(ServiceRequestContext context, String name) {
        String value = context.queryParam(name);
        if (value == null || value.isBlank()) {
            throw Problem.invalid(
                            "The question is not complete.",
                            List.of(new Violation(name, "missing (expected: a query parameter with a name)")))
                    .asException();
        }
        return value;
    }
}
