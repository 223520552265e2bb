package io.parley.proxy.exchange;

import io.netty.buffer.ByteBuf;
import io.parley.proxy.balance.Cluster;
import io.parley.proxy.balance.LiveEndpoint;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.http.RetryPolicy;
import io.parley.proxy.http.RouteAction;
import io.parley.proxy.pool.Answer;
import io.parley.proxy.pool.Answers;
import io.parley.proxy.pool.ClientStream;
import io.parley.proxy.pool.Pool;
import io.parley.proxy.pool.Upstream;
import io.parley.proxy.pool.Waiter;
import io.parley.proxy.route.Backoff;
import io.parley.proxy.route.RequestView;
import io.parley.wire.http.Fields;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The server's half of an exchange: an endpoint, a connection to it, and another try where that is allowed. A request that provably
 * reached nobody is sent elsewhere without being asked; anything more is done only if the route's policy says so.
 */
final class Sending implements Answers, Waiter {
    private final Exchange exchange;
    private final HttpLoop loop;
    private final Connection connection;
    private final RequestSource source;
    private final AnswerSink sink;
    private final Outgoing request;
    private final Tries tries = new Tries();
    private final Visit visit;

    private @Nullable Cluster cluster;
    private @Nullable LiveEndpoint lastEndpoint;
    private @Nullable Pool pool;
    private @Nullable Upstream used;
    private @Nullable Fields head;
    private @Nullable RetryPolicy retry;
    private @Nullable Affine affine;
    private Manner manner = Manner.NONE;
    private boolean idempotent;
    private boolean begun;
    private boolean waiting;

    Sending(Exchange exchange, HttpLoop loop, Connection connection, RequestSource source, AnswerSink sink) {
        this.exchange = exchange;
        this.loop = loop;
        this.connection = connection;
        this.source = source;
        this.sink = sink;
        this.request = new Outgoing(source, exchange.deadlines());
        this.visit = new Visit(loop.phases());
    }

    void reset() {
        tries.begin();
        request.begin();
        head = null;
        cluster = null;
        manner = Manner.NONE;
        begun = false;
    }

    /** Where the request goes, for people. */
    String destination() {
        return cluster == null ? connection.target() : cluster.name();
    }

    void prepare(Cluster to, RouteAction.Forward forward, RequestView view, @Nullable Affine together) {
        cluster = to;
        affine = together;
        retry = Retries.of(forward.retry(), view);
        manner = Manner.of(to, forward, source.version(), exchange.mayPassUntouched());
        request.keepsPieces(manner.keepsPieces());
        idempotent = Retries.isIdempotent(view);
        if (!manner.wire()) {
            head = exchange.shaped(view, forward);
        }
    }

    Outgoing request() {
        return request;
    }

    boolean isWire() {
        return manner.wire();
    }

    boolean passesFraming() {
        return manner.framed();
    }

    /** Asks for a connection to one of the endpoints. */
    void connect() {
        Cluster from = Objects.requireNonNull(cluster, "not prepared");
        LiveEndpoint chosen = affine == null ? from.choose(tries.endpoints()) : affine.choose(from, tries.endpoints());
        if (chosen == null) {
            exchange.fail(503, Hindrance.NO_ENDPOINT, "cluster " + from.name() + " has no endpoint left to try");
        } else if (!visit.begin(from, chosen, loop.now())) {
            exchange.fail(503, Hindrance.OVERFLOW, "cluster " + from.name() + " has as many requests as it may have");
        } else {
            exchange.account().went(from.name(), chosen.endpoint());
            Pool pooled = loop.pools().of(from, chosen, chosen.version(from.http(), manner.spoken(head)));
            pool = pooled;
            Upstream upstream = pooled.take();
            if (upstream == null) {
                waiting = true;
                source.setReading(false);
                pooled.await(this);
            } else {
                ready(upstream);
            }
        }
    }

    /** Who answers. */
    @Nullable
    LiveEndpoint served() {
        return lastEndpoint;
    }

    @Override
    public void ready(Upstream upstream) {
        if (waiting) {
            waiting = false;
            visit.waited(loop.now());
        }
        used = upstream;
        LiveEndpoint endpoint = visit.endpoint();
        if (endpoint != null && endpoint != lastEndpoint) {
            lastEndpoint = endpoint;
            connection.chose(endpoint.endpoint());
        }
        ClientStream to = upstream.begin(this);
        request.goesTo(to);
        Fields model = head;
        boolean first = !begun;
        begun = true;
        if (model != null) {
            to.head(model, source.isBodyless());
        }
        if (first) {
            exchange.deadlines().handed(model != null && model.contains(Fields.PROTOCOL));
            if (source.isBodyless() && model != null) {
                request.replay().bodyless();
                exchange.bodyless();
            }
            source.pump();
        } else {
            request.resend(to, model == null);
        }
    }

    @Override
    public void hindered(String because) {
        LiveEndpoint lacking = visit.endpoint();
        // Nothing was asked of it: that it took no time would make it look like the fastest.
        visit.abandon();
        if (begun) {
            request.holdRest();
        }
        unreached(lacking, because);
    }

    @Override
    public void unavailable(String because) {
        LiveEndpoint failed = visit.endpoint();
        leave(0);
        unreached(failed, because);
    }

    private void unreached(@Nullable LiveEndpoint failed, String because) {
        waiting = false;
        if (cluster == null || tries.areConnectsSpent()) {
            exchange.fail(503, Hindrance.UNREACHABLE, because);
        } else {
            connectElsewhere(cluster, failed);
        }
    }

    private void connectElsewhere(Cluster from, @Nullable LiveEndpoint failed) {
        if (tries.unreachable(failed, from)) {
            connect();
        } else {
            // The only endpoints there are: one that restarts is back in a moment.
            exchange.later(Tries.RECONNECT, this::connect);
        }
    }

    @Override
    public void turnedAway(String because) {
        waiting = false;
        visit.abandon();
        exchange.fail(503, Hindrance.OVERFLOW, because);
    }

    @Override
    public void mismatched(String found) {
        waiting = false;
        blame(found);
    }

    private void blame(String found) {
        Cluster from = cluster;
        LiveEndpoint guilty = visit.endpoint();
        if (from == null || guilty == null || pool == null) {
            return;
        }
        Version spoken = pool.version();
        boolean more = guilty.disappoint(from.http(), spoken);
        if (more && request.replay().isWhole() && tries.mayAskInAnother()) {
            leave(0);
            connect();
        } else {
            exchange.fail(502, Hindrance.PROTOCOL_MISMATCH, Mismatch.report(loop, from.name(), guilty, spoken, found));
        }
    }

    @Override
    public void flush() {
        sink.flush();
    }

    void mirror(Cluster to, Duration limit) {
        Replay replay = request.replay();
        if (replay.isComplete() && head != null) {
            Mirroring.send(loop, to, source.version(), head, replay.bytes(), exchange.isHead(), limit);
        }
    }

    @Override
    public boolean isHeadRequest() {
        return exchange.isHead();
    }

    @Override
    public void informed(Answer answer) {
        exchange.returning().informed(answer);
    }

    @Override
    public Form answered(Answer answer, boolean last) {
        RetryPolicy policy = retry;
        visit.answered(loop.now());
        exchange.outcome().answered(answer, last, visit);
        if (policy != null && Retries.isFailure(policy, answer) && mayRetry(policy)) {
            request.leave();
            tryAgain(policy, Integer.toString(answer.status()), answer.status());
            return Form.NOTHING;
        }
        detachIf(last);
        if (!manner.mirrored()) {
            request.replay().giveUp();
        }
        return exchange.returning().answered(answer, last);
    }

    private boolean mayRetry(RetryPolicy policy) {
        return request.replay().isWhole() && cluster != null && tries.mayRetry(policy, exchange.route(), cluster);
    }

    private void tryAgain(RetryPolicy policy, String cause, int status) {
        int number = cluster == null ? 1 : tries.retry(visit.endpoint(), cluster);
        leave(status);
        loop.telemetry().retry(connection.target(), cause).increment();
        double lot = loop.chance().nextDouble();
        exchange.later(Backoff.before(number, policy.backoff(), policy.maxBackoff(), lot), this::connect);
    }

    @Override
    public void wire(ByteBuf bytes, boolean last) {
        detachIf(last);
        exchange.returning().wire(bytes, last);
    }

    @Override
    public void data(ByteBuf content, boolean last) {
        detachIf(last);
        exchange.returning().content(content, last);
    }

    @Override
    public void trailers(Fields trailers) {
        exchange.outcome().ended(trailers, visit);
        detachIf(true);
        exchange.returning().end(trailers);
    }

    /** After the end of the answer the stream may belong to somebody else already. */
    private void detachIf(boolean last) {
        if (last) {
            request.end();
            exchange.outcome().ended(visit);
        }
    }

    @Override
    public void failed(Failure failure, String detail) {
        request.leave();
        if (exchange.isAnswered()) {
            exchange.fail(LocalAnswer.Failure.cutOff(failure, detail));
            return;
        }
        String surprise = used == null ? null : used.surprise();
        if (failure == Failure.UNTAKEN && mayGoElsewhere()) {
            loop.telemetry().retry(connection.target(), "untaken").increment();
            LiveEndpoint silent = visit.endpoint();
            leave(0);
            connectElsewhere(Objects.requireNonNull(cluster, "not prepared"), silent);
            return;
        }
        if (surprise != null && failure != Failure.UNTAKEN) {
            blame(surprise);
            return;
        }
        boolean unseen = failure == Failure.REFUSED || (failure == Failure.STALE && idempotent);
        if (unseen && request.replay().isWhole() && tries.mayConnectAgain()) {
            leave(0);
            loop.telemetry().retry(connection.target(), "stale").increment();
            connect();
            return;
        }
        RetryPolicy policy = retry;
        long nanos = loop.now() - exchange.deadlines().started();
        boolean late = failure == Failure.CANCELLED && GrpcTimeout.isOver(head, nanos);
        if (policy != null && !late && Retries.counts(policy, failure, idempotent) && mayRetry(policy)) {
            tryAgain(policy, failure == Failure.TIMEOUT ? "timeout" : "reset", 0);
        } else if (surprise != null) {
            blame(surprise);
        } else {
            String text = visit.endpoint() + ": " + detail;
            exchange.fail(late ? LocalAnswer.Failure.pastDeadline(text) : LocalAnswer.Failure.of(failure, text));
        }
    }

    /** Whether a request that nobody took may be sent as if the connection for it had failed. */
    private boolean mayGoElsewhere() {
        return cluster != null && request.replay().isWhole() && !tries.areConnectsSpent();
    }

    @Override
    public void writable() {
        request.goOn();
    }

    /** The client called it off: how long the endpoint would have taken is not known. */
    void blameNobody() {
        visit.abandon();
    }

    /** For another try, until which the client waits if it has more to send. */
    private void leave(int status) {
        visit.end(status, loop.now());
        if (begun) {
            request.holdRest();
        }
    }

    /** The exchange is over: what is still under way is called off. */
    void end(int status, long now) {
        if (waiting && pool != null) {
            waiting = false;
            pool.forget(this);
            // It is a connection that was waited for: the endpoint knows nothing of the request.
            visit.abandon();
        }
        request.cancel();
        tries.end(exchange.route());
        visit.end(status, now);
        request.replay().giveUp();
    }

    void sweep(long now) {
        if (exchange.deadlines().isReceiving()) {
            visit.postpone(now);
        } else if (request.isUnderWay() && visit.isLongerThan(Retries.perTry(retry), now)) {
            request.cancel();
            failed(Failure.TIMEOUT, "no answer in the time that one try may take");
        }
    }
}
