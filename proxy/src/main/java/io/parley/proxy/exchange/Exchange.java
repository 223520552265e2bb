package io.parley.proxy.exchange;

import io.netty.buffer.ByteBuf;
import io.parley.proxy.http.Policies;
import io.parley.proxy.http.RouteAction;
import io.parley.proxy.pool.Answer;
import io.parley.proxy.route.CorsRules;
import io.parley.proxy.route.RequestView;
import io.parley.wire.http.Fields;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One request from its head to the end of its answer: finds the route, asks the policies, has it sent, and passes back what comes.
 * A client's connection over HTTP/1 uses the same object for one request after the other.
 *
 * <p>Between HTTP/1 and HTTP/1, and where no policy changes a head, bytes pass as they are. Everything else passes in HTTP/2's form,
 * which both versions can be written from.
 */
public final class Exchange {
    private static final int MILLION = 1_000_000;

    private final HttpLoop loop;
    private final Connection connection;
    private final Way way;
    private final RequestSource source;
    private final AnswerSink sink;
    private final Sending sending;
    private final Returning returning;
    private final Deadlines deadlines = new Deadlines();
    private final Outcome outcome = new Outcome();
    private final Ledger ledger;

    private LiveRoute route;
    private Account account = Account.NONE;
    private @Nullable Shaping shaping;
    private Map<String, String> cors = Map.of();
    private LocalAnswer.Form form = LocalAnswer.Form.TEXT;
    private boolean answered;
    private boolean over = true;
    private boolean tunnel;
    private int generation;

    /** Made once for a connection of HTTP/1, and for each stream of HTTP/2. */
    public Exchange(HttpLoop loop, Connection connection, Way way, RequestSource source, AnswerSink sink) {
        this.loop = loop;
        this.connection = connection;
        this.way = way;
        this.source = source;
        this.sink = sink;
        this.route = way.table().none();
        this.sending = new Sending(this, loop, connection, source, sink);
        this.returning = new Returning(this, sending, sink);
        this.ledger = new Ledger(loop, connection, source);
    }

    Account account() {
        return account;
    }

    Returning returning() {
        return returning;
    }

    boolean isHead() {
        return form == LocalAnswer.Form.HEAD;
    }

    Outcome outcome() {
        return outcome;
    }

    boolean isAnswered() {
        return answered;
    }

    LiveRoute route() {
        return route;
    }

    /** Whether a request is under way. */
    public boolean isOpen() {
        return !over;
    }

    /** Whether bytes pass both ways without being HTTP any more. */
    public boolean isTunnel() {
        return tunnel;
    }

    /** Whether the request may go on after its answer has begun: a conversation, or no HTTP any more. */
    public boolean mayTakeLong() {
        return answered || tunnel || form == LocalAnswer.Form.GRPC;
    }

    /** Whether it is the client that is waited for, which has not sent all of its request. */
    public boolean isClientAwaited() {
        return deadlines.isClientAwaited();
    }

    /** Whether the server is sent the bytes as they came, head included. */
    public boolean isWire() {
        return sending.isWire();
    }

    /** Whether the body is passed with its framing, HTTP/1 to HTTP/1. */
    public boolean passesFraming() {
        return sending.passesFraming();
    }

    /** Begins with a head that is valid during this call, and was read as this table has it. */
    public void begin(RequestView view, Way.Table table) {
        generation++;
        loop.began();
        deadlines.begin(loop.now());
        over = false;
        answered = false;
        tunnel = false;
        shaping = null;
        cors = Map.of();
        form = LocalAnswer.Form.of(view, source.version());
        outcome.begin(form == LocalAnswer.Form.GRPC);
        sending.reset();
        returning.reset();
        LiveRoute found = table.find(view, () -> loop.chance().nextInt(MILLION));
        route = found == null ? table.none() : found;
        route.series().started();
        account = ledger.account(table);
        account.began(view);
        if (found == null) {
            fail(404, "no-route", "no route for " + view.authority() + view.path());
        } else if (loop.isOverloaded()) {
            fail(503, "overload", "the proxy has more to do than it can");
        } else if (found.hasPolicies()) {
            admit(view);
        } else {
            act(view, Duration.ZERO);
        }
    }

    private void admit(RequestView view) {
        Policies policies = route.policies();
        if (policies.cors() != null) {
            cors = CorsRules.answer(policies.cors(), view.field("origin"));
        }
        switch (Admission.verdict(route, view, connection, loop)) {
            case Admission.Verdict.Fail(var failure) -> fail(failure);
            case Admission.Verdict.Answer(var head) -> {
                outcome.is(200);
                conclude();
                sink.head(head, true);
                sink.flush();
            }
            case Admission.Verdict.Pass(var after, var bytesPerSecond) -> {
                if (bytesPerSecond > 0) {
                    returning.limit(bytesPerSecond);
                }
                act(view, after);
            }
        }
    }

    /** The head is gone when the time has come, so all that it decides is decided now. */
    private void act(RequestView view, Duration after) {
        if (!prepare(view)) {
            return;
        }
        if (after.isZero()) {
            sending.connect();
        } else {
            later(after, sending::connect);
        }
    }

    /** Decides where the request goes and what it looks like there; false if the proxy has answered it. */
    private boolean prepare(RequestView view) {
        switch (route.route().action()) {
            case RouteAction.Respond(var code, var text) -> answerLocally(new Fields(), code, text);
            case RouteAction.Redirect redirect -> {
                int port = connection.port();
                Fields head = new Shaping(route.route(), null, null, cors).redirection(view, redirect, port);
                answerLocally(head, redirect.status(), "");
            }
            case RouteAction.Forward forward -> {
                return forward(view, forward);
            }
        }
        return false;
    }

    private void answerLocally(Fields head, int code, String text) {
        if (form == LocalAnswer.Form.GRPC && code >= 400) {
            fail(code, "direct-response", text);
            return;
        }
        new Shaping(route.route(), null, null, cors).answer(head, null);
        outcome.is(code);
        conclude();
        LocalAnswer.send(sink, form, head, code, text);
        sink.flush();
    }

    private boolean forward(RequestView view, RouteAction.Forward forward) {
        switch (Destination.of(route, forward, view, connection, loop)) {
            case Destination.Nowhere(var code, var cause, var text) -> {
                fail(code, cause, text);
                return false;
            }
            case Destination.Found(var share, var cluster, var affine) -> {
                deadlines.allow(forward);
                if (!route.leavesRequestAlone() || !route.leavesResponseAlone() || affine != null || !cors.isEmpty()) {
                    shaping = new Shaping(route.route(), share, affine, cors);
                }
                sending.prepare(cluster, forward, view, affine);
                return true;
            }
        }
    }

    /** The head as the server is to see it. */
    Fields shaped(RequestView view, RouteAction.Forward forward) {
        Fields head = source.model();
        Shaping.origin(head, way.config().forwarding(), connection, view);
        if (shaping != null) {
            shaping.request(head, view, forward);
        }
        account.change(head);
        return head;
    }

    /** Whether the head can go to a server of HTTP/1 as it came. */
    boolean mayPassUntouched() {
        return source.isPlain()
                && route.leavesRequestAlone()
                && !Shaping.writesOrigin(way.config().forwarding(), connection)
                && !account.changesHead();
    }

    /** Bytes of HTTP/1 as they came. */
    public void wire(ByteBuf bytes, boolean last) {
        deadlines.received(last);
        sending.sendWire(bytes, last);
        mirrorIf(last);
    }

    /** Content, with or without its framing as {@link #passesFraming} says. */
    public void data(ByteBuf content, boolean last) {
        deadlines.received(last);
        sending.sendData(content, last);
        mirrorIf(last);
    }

    public void trailers(Fields trailers) {
        deadlines.received(true);
        sending.sendTrailers(trailers);
    }

    /** The head was all. */
    void bodyless() {
        deadlines.received(true);
        mirrorIf(true);
    }

    public void flush() {
        sending.flushRequest();
    }

    /** The client takes bytes again. */
    public void clientWritable() {
        returning.clientWritable();
    }

    private void mirrorIf(boolean last) {
        if (last && route.route().action() instanceof RouteAction.Forward forward && forward.isMirrored()) {
            Duration limit = deadlines.ofCopies(way.config().timeouts().streamIdle());
            Mirroring.clusters(loop, forward, cluster -> sending.mirror(cluster, limit));
        }
    }

    Deadlines deadlines() {
        return deadlines;
    }

    void answered(Answer answer) {
        deadlines.progressed();
        answered = true;
        outcome.is(answer.status());
        tunnel = answer.status() == 101;
        if (tunnel) {
            deadlines.lift();
        }
        account.answered(answer);
    }

    /** Whether the head of an answer can go to a client of HTTP/1 as it came. */
    boolean mayReturnUntouched() {
        return route.leavesResponseAlone()
                && (shaping == null || !shaping.changesAnswers())
                && !account.countsContent();
    }

    void shapeAnswer(Fields head) {
        if (shaping != null) {
            shaping.answer(head, sending.served());
        }
    }

    /** The proxy answers in the server's place, or cuts the answer off if it has begun. */
    public void fail(int code, String cause, String text) {
        fail(LocalAnswer.Failure.of(code, cause, text));
    }

    void fail(LocalAnswer.Failure failure) {
        if (over) {
            return;
        }
        failure.tell(loop, connection.direction(), sending.destination());
        account.failed(failure.cause());
        if (answered) {
            outcome.cutOff(failure);
            conclude();
            sink.abort(failure.cause() + ": " + failure.text(), failure.grpcOfReset());
        } else {
            outcome.failed(failure);
            if (failure.status() < 500) {
                // The client's own fault, which must not have an endpoint left out.
                sending.blameNobody();
            }
            conclude();
            LocalAnswer.fail(sink, form, failure);
            sink.flush();
        }
    }

    /** Refuses a request that no route is looked for. */
    public void refuse(int code, String cause, String text) {
        loop.began();
        deadlines.begin(loop.now());
        over = false;
        Way.Table table = way.table();
        route = table.none();
        route.series().started();
        account = ledger.account(table);
        fail(code, cause, text);
    }

    /** The client is gone. */
    public void abandon() {
        if (!over) {
            sending.blameNobody();
            conclude();
        }
    }

    void conclude() {
        over = true;
        returning.end();
        long now = loop.now();
        sending.end(answered ? outcome.status() : 0, now);
        loop.ended(now - deadlines.started());
        outcome.tell(route, account, now - deadlines.started(), source.received(), returning.sent());
    }

    void later(Duration time, Runnable task) {
        int now = generation;
        loop.later(time, () -> {
            if (generation == now && !over) {
                task.run();
            }
        });
    }

    /** It takes too long, for whoever is waited for. */
    public void late(String cause, String text) {
        fail(isClientAwaited() ? 408 : 504, cause, text);
    }

    /** Ends what has taken too long. */
    public void sweep(long now) {
        if (over) {
            return;
        }
        Duration usual = way.config().timeouts().streamIdle();
        switch (deadlines.look(now, usual)) {
            case WHOLE -> fail(504, "timeout", "no whole answer in the time that the route allows");
            case IDLE -> late("stream-idle", "no progress for " + deadlines.idle(usual));
            case NOTHING -> sending.sweep(now);
        }
    }
}
