package io.parley.xds.server.session;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import io.parley.xds.server.snapshot.WireFields;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

/**
 * The names in a state-of-the-world request, not yet decoded. A client repeats all of them in every acknowledgement, thousands at times;
 * telling that they are those of last time must not cost a string each.
 */
public final class NameList {
    /** {@code DiscoveryRequest.resource_names}. */
    public static final int FIELD = 3;

    private final byte[] bytes;
    private final int from;
    private final int to;

    /** Consecutive {@code resource_names} fields, as they are encoded in a request. */
    public NameList(byte[] bytes, int from, int to) {
        this.bytes = bytes;
        this.from = from;
        this.to = to;
    }

    public static NameList of(String... names) {
        WireFields fields = new WireFields();
        for (String name : names) {
            fields.string(FIELD, name);
        }
        byte[] bytes = fields.toBytes();
        return new NameList(bytes, 0, bytes.length);
    }

    /**
     * Two different checksums and the length: enough to tell a client's list from its last one. A client that made them collide would
     * only hide its own change from itself.
     */
    Fingerprint fingerprint() {
        return new Fingerprint(to - from, (checksum(new CRC32()) << 32) | checksum(new CRC32C()));
    }

    /** What identifies a list among those of one subscription. */
    record Fingerprint(int length, long checksum) {
        static final Fingerprint NONE = new Fingerprint(-1, 0);
    }

    /**
     * The names themselves.
     *
     * @throws IOException if one is not UTF-8
     */
    public List<String> decode() throws IOException {
        List<String> names = new ArrayList<>();
        CodedInputStream in = CodedInputStream.newInstance(bytes, from, to - from);
        while (!in.isAtEnd()) {
            if (WireFormat.getTagFieldNumber(in.readTag()) != FIELD) {
                throw new IllegalStateException("not a list of names");
            }
            names.add(in.readStringRequireUtf8());
        }
        return names;
    }

    private long checksum(Checksum checksum) {
        checksum.update(bytes, from, to - from);
        return checksum.getValue();
    }
}
