package io.parley.xds.server;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.WireFormat;
import com.google.rpc.Status;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.parley.xds.server.session.DeltaRequest;
import io.parley.xds.server.session.ErrorDetail;
import io.parley.xds.server.session.NameList;
import io.parley.xds.server.session.SotwRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Reads requests of either version: field numbers are the same. It is done by hand, because clients of the state of the world repeat their
 * node and all of their names in each request, and mostly neither is news.
 */
public final class RequestReader {
    private static final int VERSION = tag(1);
    private static final int NODE = tag(2);
    private static final int NAME = tag(NameList.FIELD);
    private static final int TYPE_URL = tag(4);
    private static final int NONCE = tag(5);
    private static final int ERROR = tag(6);

    private final byte[] bytes;
    private ByteString node = ByteString.EMPTY;
    private String version = "";
    private String typeUrl = "";
    private String nonce = "";
    private @Nullable ByteString error;
    private int namesFrom;
    private int namesTo;
    private @Nullable ByteArrayOutputStream scattered;

    private RequestReader(byte[] bytes) {
        this.bytes = bytes;
    }

    /**
     * A request and the node that it carries, still encoded; empty if it has none.
     *
     * @param <R> request of the session
     */
    public record Incoming<R>(R request, ByteString node) {
        public Node parseNode() throws InvalidProtocolBufferException {
            return Node.parseFrom(node);
        }
    }

    public static Incoming<SotwRequest> sotw(byte[] bytes) throws IOException {
        return new RequestReader(bytes).read();
    }

    public static Incoming<DeltaRequest> delta(byte[] bytes) throws IOException {
        return new DeltaReader(bytes).read();
    }

    private Incoming<SotwRequest> read() throws IOException {
        CodedInputStream in = CodedInputStream.newInstance(bytes);
        while (true) {
            int start = in.getTotalBytesRead();
            int tag = in.readTag();
            if (tag == 0) {
                break;
            } else if (tag == NAME) {
                in.skipField(tag);
                name(start, in.getTotalBytesRead());
            } else if (tag == NODE) {
                node = in.readBytes();
            } else if (tag == VERSION) {
                version = in.readStringRequireUtf8();
            } else if (tag == TYPE_URL) {
                typeUrl = in.readStringRequireUtf8();
            } else if (tag == NONCE) {
                nonce = in.readStringRequireUtf8();
            } else if (tag == ERROR) {
                error = in.readBytes();
            } else {
                in.skipField(tag);
            }
        }
        return new Incoming<>(new SotwRequest(typeUrl, version, nonce, names(), errorDetail(error)), node);
    }

    /** Encoders write repeated fields side by side; where one did not, the pieces are put together. */
    private void name(int from, int to) {
        if (namesTo == 0) {
            namesFrom = from;
            namesTo = to;
        } else if (scattered == null && namesTo == from) {
            namesTo = to;
        } else {
            if (scattered == null) {
                scattered = new ByteArrayOutputStream();
                scattered.write(bytes, namesFrom, namesTo - namesFrom);
            }
            scattered.write(bytes, from, to - from);
        }
    }

    private NameList names() {
        if (scattered == null) {
            return new NameList(bytes, namesFrom, namesTo);
        }
        byte[] all = scattered.toByteArray();
        return new NameList(all, 0, all.length);
    }

    static @Nullable ErrorDetail errorDetail(@Nullable ByteString error) throws InvalidProtocolBufferException {
        if (error == null) {
            return null;
        }
        Status status = Status.parseFrom(error);
        return new ErrorDetail(status.getCode(), status.getMessage());
    }

    static int tag(int field) {
        return (field << 3) | WireFormat.WIRETYPE_LENGTH_DELIMITED;
    }
}
