package io.parley.control.api;

import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.util.TimeoutMode;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.parley.store.StoreException;
import java.time.Duration;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs a handler that may block, as everything that touches the store does, away from the event loop. */
final class BlockingService implements HttpService {
    /** Answers one request that has arrived whole. */
    interface Handler {
        HttpResponse handle(ServiceRequestContext context, AggregatedHttpRequest request);
    }

    private static final Logger LOG = LoggerFactory.getLogger(BlockingService.class);

    private final Handler handler;
    private final Executor executor;
    private final Duration reading;

    /**
     * @param reading how long a request may take to arrive
     */
    BlockingService(Handler handler, Executor executor, Duration reading) {
        this.handler = handler;
        this.executor = executor;
        this.reading = reading;
    }

    @Override
    public HttpResponse serve(ServiceRequestContext context, HttpRequest request) {
        long answering = context.requestTimeoutMillis();
        context.setRequestTimeout(TimeoutMode.SET_FROM_START, reading);
        return HttpResponse.of(request.aggregate()
                .thenApplyAsync(
                        whole -> {
                            context.setRequestTimeoutMillis(TimeoutMode.SET_FROM_NOW, answering);
                            return answer(context, whole);
                        },
                        executor));
    }

    private HttpResponse answer(ServiceRequestContext context, AggregatedHttpRequest request) {
        try {
            return handler.handle(context, request);
        } catch (ProblemException e) {
            return Json.problem(e.problem());
        } catch (StoreException e) {
            LOG.warn("{} {}: {}", request.method(), request.path(), e.getMessage());
            return Json.problem(Problems.of(e));
        } catch (RuntimeException e) {
            LOG.error("{} {} failed: this is a fault in the program", request.method(), request.path(), e);
            return Json.problem(Problem.of(
                    HttpStatus.INTERNAL_SERVER_ERROR,
                    "internal",
                    "A fault in the control plane",
                    "The control plane's log tells more. Nothing is known to have been changed."));
        }
    }
}
