package io.parley.proxy.exchange;

import io.netty.buffer.ByteBuf;
import io.parley.proxy.http.Cors;
import io.parley.proxy.http.FieldEdits;
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
        open(view, table, table.find(view, loop::lot));
        if (loop.isOverloaded()) {
            fail(503, Hindrance.OVERLOAD, "the proxy has more to do than it can");
        } else if (route.hasPolicies()) {
            admit(view);
        } else {
            act(view, Duration.ZERO);
        }
    }

    /** Refuses a request that no route is looked for, with as much of its head as could be read. */
    public void refuse(RequestView view, Way.Table table, int code, Cause cause) {
        open(view, table, table.none());
        fail(code, cause);
    }

    /** Gives up a request that is not even answered. */
    public void drop(RequestView view, Way.Table table, String cause) {
        open(view, table, table.none());
        account.failed(cause);
        conclude();
    }

    private void open(RequestView view, Way.Table table, LiveRoute found) {
        generation++;
        loop.began();
        deadlines.begin(loop.now());
        over = false;
        answered = false;
        tunnel = false;
        shaping = null;
        form = LocalAnswer.Form.of(view, source.version());
        outcome.begin(form == LocalAnswer.Form.GRPC);
        sending.reset();
        returning.reset();
        route = found;
        route.series().started();
        Cors told = route.policies().cors();
        cors = told == null ? Map.of() : CorsRules.answer(told, view.field("origin"));
        account = ledger.account(table);
        account.began(view);
    }

    private void admit(RequestView view) {
        switch (Admission.verdict(route, view, connection, loop)) {
            case Admission.Verdict.Fail(var failure, var after) -> after(after, () -> fail(failure));
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
        if (prepare(view)) {
            after(after, sending::connect);
        }
    }

    private void after(Duration time, Runnable task) {
        if (time.isZero()) {
            task.run();
        } else {
            deadlines.postpone(time);
            later(time, task);
        }
    }

    /** Decides where the request goes and what it looks like there; false if the proxy has answered it. */
    private boolean prepare(RequestView view) {
        switch (route.route().action()) {
            case RouteAction.Nothing() ->
                fail(404, Hindrance.NO_ROUTE, "no route for " + view.authority() + view.path());
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
            fail(new LocalAnswer.Failure(code, Hindrance.DIRECT_RESPONSE, text, text, null, FieldEdits.NONE));
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
            case Destination.Nowhere(var code, var cause, var detail) -> {
                fail(code, cause, detail);
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
        sending.request().wire(bytes, last);
        mirrorIf(last);
    }

    /** Content, with or without its framing as {@link #passesFraming} says. */
    public void data(ByteBuf content, boolean last) {
        deadlines.received(last);
        sending.request().data(content, last);
        mirrorIf(last);
    }

    public void trailers(Fields trailers) {
        deadlines.received(true);
        sending.request().trailers(trailers);
    }

    /** The head was all. */
    void bodyless() {
        deadlines.received(true);
        mirrorIf(true);
    }

    public void flush() {
        sending.request().flush();
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
    public void fail(int code, Cause cause) {
        fail(LocalAnswer.Failure.of(code, cause));
    }

    /** The same, with what is for the log only. */
    public void fail(int code, Cause cause, String detail) {
        fail(LocalAnswer.Failure.of(code, cause, detail));
    }

    void fail(LocalAnswer.Failure failure) {
        if (over) {
            return;
        }
        failure.tell(loop, connection.direction(), sending.destination());
        account.failed(failure.cause().word());
        if (answered) {
            outcome.cutOff(failure);
            conclude();
            sink.abort(failure.cause().word() + ": " + failure.detail(), failure.grpcOfReset());
        } else {
            outcome.failed(failure);
            if (failure.status() < 500) {
                // The client's own fault, which must not have an endpoint left out.
                sending.blameNobody();
            }
            conclude();
            LocalAnswer.fail(sink, form, failure, cors);
            sink.flush();
        }
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
    public void late(Cause cause, String detail) {
        fail(isClientAwaited() ? 408 : 504, cause, detail);
    }

    /** Ends what has taken too long. */
    public void sweep(long now) {
        if (over) {
            return;
        }
        Duration usual = way.config().timeouts().streamIdle();
        switch (deadlines.look(now, usual)) {
            case WHOLE -> fail(504, Hindrance.TIMEOUT, "no whole answer in the time that the route allows");
            case IDLE -> late(Hindrance.STREAM_IDLE, "no progress for " + deadlines.idle(usual));
            case NOTHING -> sending.sweep(now);
        }
    }
}
