package io.parley.proxy.http2;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.util.AsciiString;
import io.parley.proxy.http1.TrailerFields;
import io.parley.proxy.pool.Answers;
import io.parley.proxy.pool.Answers.Failure;
import io.parley.proxy.pool.Answers.Form;
import io.parley.proxy.pool.ClientStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One request over HTTP/2 to a server. */
final class Http2ClientStream implements ClientStream {
    private static final AsciiString KEY = new AsciiString("sec-websocket-key");

    private final Http2Client client;
    private @Nullable Answers answers;
    private int id;
    private boolean answered;
    private boolean contentless;
    private boolean reading = true;
    private boolean counted = true;
    private @Nullable String webSocketKey;
    private int unconsumed;

    Http2ClientStream(Http2Client client, Answers answers) {
        this.client = client;
        this.answers = answers;
    }

    @Override
    public void head(Http2Headers head, boolean last) {
        if (head.contains(HeadCheck.PROTOCOL)) {
            client.onceSettled(() -> upgrade(head));
        } else {
            send(head, last);
        }
    }

    /** RFC 8441 3: only a server that says so takes WebSockets, and it says so in its settings. */
    private void upgrade(Http2Headers head) {
        CharSequence key = head.get(KEY);
        webSocketKey = key == null ? null : key.toString();
        head.remove(KEY);
        if (answers == null) {
            return;
        }
        if (client.takesWebSockets()) {
            send(head, false);
            flush();
        } else {
            failed(
                    Failure.BAD_ANSWER,
                    "the server speaks HTTP/2 without WebSockets: SETTINGS_ENABLE_CONNECT_PROTOCOL is not set");
            closed();
        }
    }

    private void send(Http2Headers head, boolean last) {
        ChannelHandlerContext context = client.link().context();
        id = client.link().connection().local().incrementAndGetNextStreamId();
        ChannelPromise written = context.newPromise();
        client.link().encoder().writeHeaders(context, id, head, 0, last, written);
        client.opened(id, this);
        if (client.link().connection().stream(id) == null) {
            failed(Failure.REFUSED, "no stream could be opened");
            closed();
        }
    }

    @Override
    public void data(ByteBuf content, boolean last) {
        if (!isAlive()) {
            content.release();
            return;
        }
        client.budget().dataSent();
        ChannelHandlerContext context = client.link().context();
        client.link().encoder().writeData(context, id, content, 0, last, context.newPromise());
    }

    @Override
    public void trailers(Http2Headers trailers) {
        if (isAlive()) {
            ChannelHandlerContext context = client.link().context();
            client.link().encoder().writeHeaders(context, id, trailers, 0, true, context.newPromise());
        }
    }

    private boolean isAlive() {
        return client.link().connection().stream(id) != null;
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
        if (id > 0 && isAlive()) {
            ChannelHandlerContext context = client.link().context();
            client.link().resetStream(context, id, Http2Error.CANCEL.code(), context.newPromise());
            client.link().flushSoon();
        } else if (id == 0) {
            closed();
        }
    }

    @Override
    public boolean isWritable() {
        Http2Stream stream = client.link().connection().stream(id);
        return stream != null
                && client.link().connection().remote().flowController().isWritable(stream);
    }

    @Override
    public void setReading(boolean on) {
        reading = on;
        Http2Stream stream = client.link().connection().stream(id);
        if (on && stream != null) {
            int bytes = unconsumed;
            unconsumed = 0;
            client.link().consumed(stream, bytes);
        }
    }

    boolean isAnswered() {
        return answered;
    }

    void headers(Http2Headers headers, boolean last) {
        Answers to = answers;
        if (to == null) {
            return;
        }
        if (answered) {
            finish();
            strike(headers);
            to.trailers(headers);
            to.flush();
            return;
        }
        Http2Answer answer = new Http2Answer(headers, webSocketKey);
        if (!last && answer.isInterim()) {
            to.informed(answer);
            return;
        }
        answered = true;
        int status = answer.status();
        contentless = to.isHeadRequest() || status == 204 || status == 304;
        if (last) {
            finish();
        }
        Form form = to.answered(answer, last);
        if (form == Form.NOTHING && !last) {
            cancel();
        }
        to.flush();
    }

    int received(ByteBuf data, int padding, boolean last) {
        Answers to = answers;
        int length = data.readableBytes();
        if (to == null) {
            return length + padding;
        }
        if (contentless && length > 0) {
            // A client of HTTP/1 would take it for the next answer.
            failed(Failure.BAD_ANSWER, "the server's answer: content where there is none");
            cancel();
            return length + padding;
        }
        if (last) {
            finish();
        }
        to.data(data.retain(), last);
        to.flush();
        if (reading || last) {
            return length + padding;
        }
        unconsumed += length;
        return padding;
    }

    /** What does not belong after the content is not passed on; that it came harms nobody. */
    private static void strike(Http2Headers trailers) {
        List<CharSequence> strange = List.of();
        for (Map.Entry<CharSequence, CharSequence> field : trailers) {
            if (!TrailerFields.OF_ANSWERS.allow(field.getKey().toString())) {
                strange = strange.isEmpty() ? new ArrayList<>() : strange;
                strange.add(field.getKey());
            }
        }
        strange.forEach(trailers::remove);
    }

    private void finish() {
        answers = null;
    }

    void failed(Failure failure, String detail) {
        Answers to = answers;
        answers = null;
        if (to != null) {
            if (answered && webSocketKey != null) {
                to.data(Unpooled.EMPTY_BUFFER, true);
                to.flush();
            } else {
                to.failed(failure, detail);
            }
        }
    }

    /** The stream is no more. */
    void closed() {
        if (counted) {
            counted = false;
            client.ended();
        }
    }

    void writable() {
        if (answers != null) {
            answers.writable();
        }
    }
}
