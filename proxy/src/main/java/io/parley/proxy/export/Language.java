package io.parley.proxy.export;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.util.AsciiString;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.pool.Inquiry;
import io.parley.wire.http.Fields;
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

    default Fields head(int length) {
        Fields head = new Fields();
        add(head, ":method", "POST");
        add(head, ":scheme", "http");
        add(head, "user-agent", "parley");
        switch (this) {
            case Grpc<T>(var authority, var method, var _) -> {
                add(head, ":authority", authority);
                add(head, ":path", method);
                add(head, "content-type", "application/grpc");
                add(head, "te", "trailers");
                add(head, "grpc-timeout", Exporter.TIMEOUT.toSeconds() + "S");
            }
            case Json<T>(var authority, var path, var _) -> {
                add(head, ":authority", authority);
                add(head, ":path", path);
                add(head, "content-type", "application/json");
                add(head, "content-length", Integer.toString(length));
            }
        }
        return head;
    }

    private static void add(Fields head, String name, String value) {
        head.add(new AsciiString(name), new AsciiString(value));
    }

    /** Whether the collector has taken it. */
    default boolean isTaken(Inquiry answer) {
        return switch (this) {
            case Grpc<T> _ -> answer.status() == 200 && "0".equals(answer.grpcStatus());
            case Json<T> _ -> answer.status() >= 200 && answer.status() < 300;
        };
    }
}
