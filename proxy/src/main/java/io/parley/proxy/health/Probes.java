package io.parley.proxy.health;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.util.AsciiString;
import io.parley.proxy.balance.Cluster;
import io.parley.proxy.balance.LiveEndpoint;
import io.parley.proxy.config.HttpUpstream.Question;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.exchange.FieldEditing;
import io.parley.proxy.pool.Dialling;
import io.parley.proxy.pool.Inquiry;
import io.parley.proxy.pool.Pool;
import io.parley.wire.http.Field;
import io.parley.wire.http.Fields;
import java.nio.charset.StandardCharsets;

/** The questions that there are. */
final class Probes {
    private static final Field HTTP = Field.of(Fields.SCHEME, AsciiString.cached("http"));
    private static final Field USER_AGENT =
            Field.of(AsciiString.cached("user-agent"), AsciiString.cached("parley-health-check"));
    private static final Field GRPC =
            Field.of(AsciiString.cached("content-type"), AsciiString.cached("application/grpc"));
    private static final Field TRAILERS = Field.of(AsciiString.cached("te"), AsciiString.cached("trailers"));

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
                    Fields head = head("GET", path, host.isEmpty() ? cluster.name() : host);
                    FieldEditing.apply(fields, head);
                    return Inquiry.of(pool, head, Unpooled.EMPTY_BUFFER, answer -> {
                        verdict.is(good.stream().anyMatch(range -> range.contain(answer.status())));
                    });
                };
            case Question.Grpc(var service, var authority) ->
                verdict -> {
                    Pool pool = surgery.pools().of(cluster, endpoint, Version.HTTP2);
                    Fields head = head(
                            "POST", "/grpc.health.v1.Health/Check", authority.isEmpty() ? cluster.name() : authority);
                    head.add(GRPC).add(TRAILERS);
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

    private static Fields head(String method, String path, String authority) {
        return new Fields()
                .add(Fields.METHOD, new AsciiString(method))
                .add(HTTP)
                .add(Fields.AUTHORITY, new AsciiString(authority))
                .add(Fields.PATH, new AsciiString(path))
                .add(USER_AGENT);
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
