package io.parley.proxy.http2;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.util.AsciiString;
import io.parley.proxy.http.HttpLimits;
import io.parley.proxy.http1.TrailerFields;
import io.parley.proxy.pool.Answers;
import io.parley.proxy.pool.Answers.Failure;
import io.parley.proxy.pool.Answers.Form;
import io.parley.proxy.pool.ClientStream;
import io.parley.wire.http.Fields;
import org.jspecify.annotations.Nullable;

/** One request over HTTP/2 to a server. */
final class Http2ClientStream extends Http2Stream implements ClientStream {
    private static final AsciiString KEY = AsciiString.cached("sec-websocket-key");

    private static final AsciiString HTTPS = AsciiString.cached("https");

    private static final AsciiString LENGTH = AsciiString.cached("content-length");

    private static final int SWITCHING = 101;

    /** As over HTTP/1. */
    private static final int MAX_INTERIM = 32;

    private final Http2Client client;

    /** Whether the connection had served before. */
    private final boolean kept;

    private @Nullable Answers answers;
    private boolean answered;
    private boolean contentless;
    private boolean tunnel;
    private boolean reading = true;
    private boolean counted = true;
    private @Nullable String webSocketKey;
    private @Nullable Runnable upgrading;
    private int interim;

    Http2ClientStream(Http2Client client, Answers answers) {
        this.client = client;
        this.answers = answers;
        this.kept = client.hasAnswered();
    }

    @Override
    public void head(Fields head, boolean last) {
        if (head.contains(Fields.PROTOCOL)) {
            Runnable upgrade = () -> upgrade(head);
            upgrading = upgrade;
            client.onceSettled(upgrade);
        } else {
            send(head, last);
        }
    }

    /** RFC 8441 3: only a server that says so takes WebSockets, and it says so in its settings. */
    private void upgrade(Fields head) {
        AsciiString key = head.value(KEY);
        webSocketKey = key == null ? null : key.toString();
        if (answers == null) {
            return;
        }
        if (client.isLeaving()) {
            refuse();
        } else if (client.takesWebSockets()) {
            // Another try may go over HTTP/1, where the key is wanted.
            Fields keyless = Fields.copyOf(head);
            keyless.remove(KEY);
            send(keyless, false);
            flush();
        } else {
            giveUp(
                    Failure.BAD_ANSWER,
                    "the server speaks HTTP/2 without WebSockets: SETTINGS_ENABLE_CONNECT_PROTOCOL is not set");
        }
    }

    private void send(Fields head, boolean last) {
        if (client.link().isOver() || !client.link().streams().hasNumbers()) {
            refuse();
            return;
        }
        client.link().open(this);
        client.link().send(this, fitting(head), last);
    }

    /**
     * RFC 8164 2: nobody asks by TLS for what is {@code http} of a server that has not said that it takes that, and some refuse it. How the
     * client came is another matter. The head is not changed: it may be sent elsewhere.
     */
    private Fields fitting(Fields head) {
        boolean fits = !client.isSecured() || HTTPS.contentEquals(head.scheme());
        return fits ? head : Fields.copyOf(head).set(Fields.SCHEME, HTTPS);
    }

    private void refuse() {
        giveUp(Failure.REFUSED, "no stream could be opened");
    }

    /** Whoever is still at handing the request over hears of it when that is done, and can send it again, or the next one. */
    private void giveUp(Failure failure, String detail) {
        client.soon(() -> {
            failed(failure, detail);
            closed();
        });
    }

    @Override
    public void data(ByteBuf content, boolean last) {
        client.link().send(this, content, last);
    }

    @Override
    public void trailers(Fields trailers) {
        client.link().send(this, trailers, true);
    }

    @Override
    public void wire(ByteBuf bytes, boolean last) {
        bytes.release();
        throw new IllegalStateException("bytes of HTTP/1 on a stream of HTTP/2");
    }

    @Override
    public void flush() {
        client.link().flushSoon();
    }

    @Override
    public void cancel() {
        answers = null;
        if (isOpen()) {
            client.link().reset(this, ErrorCode.CANCEL);
        } else if (id() == 0) {
            if (upgrading != null) {
                client.forget(upgrading);
            }
            closed();
        }
    }

    @Override
    public boolean isWritable() {
        return client.link().queues().isWritable(this);
    }

    @Override
    public void setReading(boolean on) {
        reading = on;
        if (on) {
            client.link().consumed(this, held());
        }
    }

    @Override
    void head(Fields fields, @Nullable String flaw, boolean last) throws Http2Fault {
        int most = HttpLimits.DEFAULT.fields();
        String other = answered ? HeadCheck.answerTrailers(fields, most) : HeadCheck.answer(fields, most);
        String wrong = flaw == null ? other : flaw;
        if (wrong == null && answered && !last) {
            wrong = "trailers before the end";
        }
        if (wrong == null && tunnel) {
            // RFC 9113 8.5: nothing but content comes through a tunnel.
            wrong = "trailers of a tunnel";
        }
        if (wrong != null) {
            throw malformed(wrong);
        }
        headers(fields, last);
    }

    private Http2Fault malformed(String wrong) {
        return Http2Fault.ofStream(id(), ErrorCode.PROTOCOL_ERROR, wrong);
    }

    private void headers(Fields headers, boolean last) throws Http2Fault {
        Answers to = answers;
        if (to == null) {
            return;
        }
        if (answered) {
            finish();
            // What does not belong after the content is not passed on; that it came harms nobody.
            headers.removeIf(name -> !TrailerFields.OF_ANSWERS.allow(name.toString()));
            to.trailers(headers);
            to.flush();
            return;
        }
        Http2Answer answer = new Http2Answer(headers, webSocketKey);
        if (answer.isInterim()) {
            inform(to, answer, last);
            return;
        }
        int status = answer.status();
        tunnel = status == SWITCHING;
        contentless = to.isHeadRequest() || status == 204 || status == 304;
        if (tunnel || status == 204) {
            // RFC 9110 8.6 and 9.3.6: it means nothing, and a client of HTTP/1 must not be told.
            headers.remove(LENGTH);
        }
        long length = contentless ? 0 : HeadCheck.length(headers);
        if (last && length > 0) {
            // A client of HTTP/1 would take the next answer for the content.
            throw malformed("content-length without content");
        }
        answered = true;
        if (last) {
            finish();
        } else if (!contentless) {
            expect(length);
        }
        Form form = to.answered(answer, last);
        if (form == Form.NOTHING && !last) {
            cancel();
        }
        to.flush();
    }

    /** RFC 9113 8.1 and 8.6: more must follow, and another protocol is never switched to. */
    private void inform(Answers to, Http2Answer answer, boolean last) throws Http2Fault {
        if (last || answer.status() == SWITCHING || ++interim > MAX_INTERIM) {
            throw malformed("interim answer " + answer.status());
        }
        answer.head().remove(LENGTH);
        to.informed(answer);
    }

    /**
     * RFC 9113 8.1: nobody waits for the rest of a request that has been answered. A WebSocket that the server has ended is over for the
     * client as well, so there is nobody who could go on with it.
     */
    @Override
    void allReceived() {
        if (webSocketKey == null || hasQueue()) {
            client.link().reset(this, ErrorCode.CANCEL);
        } else {
            client.link().send(this, Unpooled.EMPTY_BUFFER, true);
            flush();
        }
    }

    @Override
    int received(ByteBuf data, boolean last) throws Http2Fault {
        Answers to = answers;
        int length = data.readableBytes();
        if (to == null) {
            data.release();
            return length;
        }
        if (!answered) {
            data.release();
            throw malformed("content before the head");
        }
        if (contentless && length > 0) {
            data.release();
            // A client of HTTP/1 would take it for the next answer.
            failed(Failure.BAD_ANSWER, "the server's answer: content where there is none");
            cancel();
            return length;
        }
        if (last) {
            finish();
        }
        to.data(data, last);
        to.flush();
        return reading || last ? length : 0;
    }

    private void finish() {
        answers = null;
    }

    private void failed(Failure failure, String detail) {
        Answers to = answers;
        answers = null;
        if (to != null) {
            to.failed(failure, detail);
        }
    }

    @Override
    void gaveUp(long code, @Nullable Http2Fault fault) {
        if (fault != null) {
            failed(Failure.BAD_ANSWER, "the server's answer: " + fault.text());
        } else {
            failed(meaningOf(code), "the server reset the stream: " + ErrorCode.nameOf(code));
        }
    }

    private static Failure meaningOf(long code) {
        if (code == ErrorCode.REFUSED_STREAM.number()) {
            return Failure.REFUSED;
        }
        if (code == ErrorCode.CANCEL.number()) {
            return Failure.CANCELLED;
        }
        return code == ErrorCode.ENHANCE_YOUR_CALM.number() ? Failure.TOO_MUCH : Failure.RESET;
    }

    @Override
    void closed() {
        Failure failure = client.isUntaken() ? Failure.UNTAKEN : isStale() ? Failure.STALE : Failure.RESET;
        failed(failure, "the server closed the stream before the answer's end");
        if (counted) {
            counted = false;
            client.ended();
        }
    }

    /** Whether the connection is lost, and the request may never have been seen. An answer that broke it would break the next one too. */
    private boolean isStale() {
        Http2Link link = client.link();
        boolean lost = client.isGivenUp() || (kept && link.isOver() && !link.isBroken());
        return lost && !answered && interim == 0;
    }

    @Override
    void writable() {
        if (answers != null) {
            answers.writable();
        }
    }
}
