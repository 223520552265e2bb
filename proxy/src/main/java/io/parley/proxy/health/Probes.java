package io.parley.proxy.health;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.util.AsciiString;
import io.parley.proxy.balance.Cluster;
import io.parley.proxy.balance.LiveEndpoint;
import io.parley.proxy.config.HttpUpstream.Question;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.exchange.FieldEditing;
import io.parley.proxy.pool.Dialling;
import io.parley.proxy.pool.Inquiry;
import io.parley.proxy.pool.Pool;
import java.nio.charset.StandardCharsets;

/** The questions that there are. */
final class Probes {
    private static final AsciiString USER_AGENT = new AsciiString("parley-health-check");

    /** {@code HealthCheckResponse} with SERVING in field 1, in a frame of gRPC. */
    private static final byte[] SERVING = {0, 0, 0, 0, 2, 0x08, 0x01};

    private Probes() {}

    static Probe of(Question question, Surgery surgery, Cluster cluster, LiveEndpoint endpoint) {
        return switch (question) {
            case Question.Connect() -> verdict -> connect(surgery, cluster, endpoint, verdict);
            case Question.Dialogue dialogue ->
                verdict -> {
                    Dialogue conversation = new Dialogue(dialogue, verdict);
                    dial(surgery, cluster, endpoint, conversation);
                    return conversation::giveUp;
                };
            case Question.Get(var host, var path, var fields, var good) ->
                verdict -> {
                    Pool pool = surgery.pools()
                            .of(cluster, endpoint, http(cluster.http().version()));
                    Http2Headers head = head("GET", path, host.isEmpty() ? cluster.name() : host);
                    FieldEditing.apply(fields, head);
                    return Inquiry.of(pool, head, Unpooled.EMPTY_BUFFER, answer -> {
                        verdict.is(good.stream().anyMatch(range -> range.contain(answer.status())));
                    });
                };
            case Question.Grpc(var service, var authority) ->
                verdict -> {
                    Pool pool = surgery.pools().of(cluster, endpoint, Version.HTTP2);
                    Http2Headers head = head(
                            "POST", "/grpc.health.v1.Health/Check", authority.isEmpty() ? cluster.name() : authority);
                    head.set(new AsciiString("content-type"), new AsciiString("application/grpc"));
                    head.set(new AsciiString("te"), new AsciiString("trailers"));
                    return Inquiry.of(pool, head, request(service), answer -> verdict.is(isServing(answer)));
                };
        };
    }

    private static boolean isServing(Inquiry answer) {
        return answer.status() == 200 && "0".equals(answer.grpcStatus()) && answer.isContent(SERVING);
    }

    private static Version http(Version configured) {
        return configured == Version.AS_RECEIVED ? Version.HTTP1 : configured;
    }

    private static Http2Headers head(String method, String path, String authority) {
        Http2Headers head = new DefaultHttp2Headers(false);
        head.method(new AsciiString(method));
        head.scheme(new AsciiString("http"));
        head.authority(new AsciiString(authority));
        head.path(new AsciiString(path));
        head.set(new AsciiString("user-agent"), USER_AGENT);
        return head;
    }

    /** {@code HealthCheckRequest} with its service in field 1, in a frame of gRPC. */
    private static ByteBuf request(String service) {
        byte[] name = service.getBytes(StandardCharsets.UTF_8);
        ByteBuf message = Unpooled.buffer();
        if (name.length > 0) {
            message.writeByte(0x0a);
            for (int rest = name.length; ; rest >>>= 7) {
                if (rest < 0x80) {
                    message.writeByte(rest);
                    break;
                }
                message.writeByte((rest & 0x7f) | 0x80);
            }
            message.writeBytes(name);
        }
        ByteBuf frame = Unpooled.buffer(5);
        frame.writeByte(0).writeInt(message.readableBytes());
        return Unpooled.wrappedBuffer(frame, message);
    }

    private static Runnable connect(Surgery surgery, Cluster cluster, LiveEndpoint endpoint, Probe.Verdict verdict) {
        dial(surgery, cluster, endpoint, new Dialling.Outcome() {
            @Override
            public void connected(Channel channel) {
                channel.close();
                verdict.is(true);
            }

            @Override
            public void failed(Throwable cause) {
                verdict.is(false);
            }
        });
        // Whenever it connects after that, it is closed, and nobody listens any more.
        return () -> {};
    }

    private static void dial(Surgery surgery, Cluster cluster, LiveEndpoint endpoint, Dialling.Outcome outcome) {
        surgery.dialling().dial(surgery.loop(), endpoint.endpoint(), cluster.connect(), null, outcome);
    }
}
