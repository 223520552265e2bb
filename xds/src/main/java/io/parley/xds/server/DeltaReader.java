package io.parley.xds.server;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import io.parley.xds.server.RequestReader.Incoming;
import io.parley.xds.server.session.DeltaRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads a delta request by hand: most are acknowledgements, a type and a nonce, for which no message need be built. */
final class DeltaReader {
    private static final int NODE = RequestReader.tag(1);
    private static final int TYPE_URL = RequestReader.tag(2);
    private static final int SUBSCRIBE = RequestReader.tag(3);
    private static final int UNSUBSCRIBE = RequestReader.tag(4);
    private static final int INITIAL_VERSION = RequestReader.tag(5);
    private static final int NONCE = RequestReader.tag(6);
    private static final int ERROR = RequestReader.tag(7);

    /** Fields of the entry of a map. */
    private static final int KEY = RequestReader.tag(1);

    private static final int VALUE = RequestReader.tag(2);

    private final CodedInputStream in;
    private ByteString node = ByteString.EMPTY;
    private String typeUrl = "";
    private String nonce = "";
    private List<String> subscribe = List.of();
    private List<String> unsubscribe = List.of();
    private Map<String, String> initialVersions = Map.of();
    private @Nullable ByteString error;

    DeltaReader(byte[] bytes) {
        in = CodedInputStream.newInstance(bytes);
    }

    Incoming<DeltaRequest> read() throws IOException {
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            if (tag == TYPE_URL) {
                typeUrl = in.readStringRequireUtf8();
            } else if (tag == NONCE) {
                nonce = in.readStringRequireUtf8();
            } else if (tag == SUBSCRIBE) {
                subscribe = with(subscribe, in.readStringRequireUtf8());
            } else if (tag == UNSUBSCRIBE) {
                unsubscribe = with(unsubscribe, in.readStringRequireUtf8());
            } else if (tag == INITIAL_VERSION) {
                initialVersion();
            } else if (tag == NODE) {
                node = in.readBytes();
            } else if (tag == ERROR) {
                error = in.readBytes();
            } else {
                in.skipField(tag);
            }
        }
        return new Incoming<>(
                new DeltaRequest(
                        typeUrl, subscribe, unsubscribe, initialVersions, nonce, RequestReader.errorDetail(error)),
                node);
    }

    private static List<String> with(List<String> names, String name) {
        List<String> more = names.isEmpty() ? new ArrayList<>() : names;
        more.add(name);
        return more;
    }

    private void initialVersion() throws IOException {
        int limit = in.pushLimit(in.readRawVarint32());
        String name = "";
        String version = "";
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            if (tag == KEY) {
                name = in.readStringRequireUtf8();
            } else if (tag == VALUE) {
                version = in.readStringRequireUtf8();
            } else {
                in.skipField(tag);
            }
        }
        in.popLimit(limit);
        if (initialVersions.isEmpty()) {
            initialVersions = new HashMap<>();
        }
        initialVersions.put(name, version);
    }
}
