package io.parley.control.api;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.parley.control.access.Action;
import io.parley.sync.admin.Answer;
import io.parley.sync.admin.Question;

/** {@code GET /meshes/MESH/dataplanes/NAME/_config}, and the like: what a proxy is told, be it in another zone. */
final class ProxyEndpoint {
    private final Answer.Source proxies;

    ProxyEndpoint(Answer.Source proxies) {
        this.proxies = proxies;
    }

    BlockingService.Handler about(Question.Topic topic) {
        return (context, _) -> answer(context, topic);
    }

    private HttpResponse answer(ServiceRequestContext context, Question.Topic topic) {
        Authentication.require(context, Action.READ);
        String mesh = String.valueOf(context.pathParam("mesh"));
        String name = String.valueOf(context.pathParam("name"));
        return switch (proxies.answer(new Question(topic, "Dataplane", mesh, name))) {
            case Answer.Found(String text) -> HttpResponse.of(HttpStatus.OK, MediaType.JSON_UTF_8, text);
            case Answer.Failed(String because) ->
                throw Problem.notFound(because).asException();
        };
    }
}
