package io.parley.proxy.export;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.util.AsciiString;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.pool.Inquiry;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;

/** How a collector is told something. */
sealed interface Language<T> {
    /** Unary calls of gRPC. */
    record Grpc<T>(String authority, String method, Function<List<T>, byte[]> message) implements Language<T> {}

    /** Documents of JSON, posted. */
    record Json<T>(String authority, String path, Function<List<T>, String> document) implements Language<T> {}

    default Version version() {
        return switch (this) {
            case Grpc<T> _ -> Version.HTTP2;
            case Json<T> _ -> Version.HTTP1;
        };
    }

    default ByteBuf content(List<T> items) {
        return switch (this) {
            case Grpc<T>(var _, var _, var message) -> {
                byte[] bytes = message.apply(items);
                yield Unpooled.buffer(5 + bytes.length)
                        .writeByte(0)
                        .writeInt(bytes.length)
                        .writeBytes(bytes);
            }
            case Json<T>(var _, var _, var document) ->
                Unpooled.copiedBuffer(document.apply(items), StandardCharsets.UTF_8);
        };
    }

    default Http2Headers head(int length) {
        Http2Headers head = new DefaultHttp2Headers(false);
        head.method(new AsciiString("POST"));
        head.scheme(new AsciiString("http"));
        set(head, "user-agent", "parley");
        switch (this) {
            case Grpc<T>(var authority, var method, var _) -> {
                head.authority(new AsciiString(authority)).path(new AsciiString(method));
                set(head, "content-type", "application/grpc");
                set(head, "te", "trailers");
                set(head, "grpc-timeout", Exporter.TIMEOUT.toSeconds() + "S");
            }
            case Json<T>(var authority, var path, var _) -> {
                head.authority(new AsciiString(authority)).path(new AsciiString(path));
                set(head, "content-type", "application/json");
                set(head, "content-length", Integer.toString(length));
            }
        }
        return head;
    }

    private static void set(Http2Headers head, String name, String value) {
        head.set(new AsciiString(name), new AsciiString(value));
    }

    /** Whether the collector has taken it. */
    default boolean isTaken(Inquiry answer) {
        return switch (this) {
            case Grpc<T> _ -> answer.status() == 200 && "0".equals(answer.grpcStatus());
            case Json<T> _ -> answer.status() >= 200 && answer.status() < 300;
        };
    }
}
