package io.parley.sync.grpc;

import io.grpc.Metadata;
import io.parley.agreement.sync.Features;
import io.parley.agreement.sync.PriorityClass;
import io.parley.sync.stream.Multiplexed;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What peers say of themselves in headers, and what we make of it. None of it is proof. */
public final class SyncHeaders {
    /** The zone that a client says it is. */
    public static final Metadata.Key<String> CLIENT_ID = key("client-id");

    /** The tenant that a client says it belongs to. */
    public static final Metadata.Key<String> TENANT = key("tenant");

    public static final Metadata.Key<String> AUTHORIZATION = key("authorization");
    public static final Metadata.Key<String> KDS_VERSION = key("kds-version");
    public static final Metadata.Key<String> RELEASE = key("version");
    public static final Metadata.Key<String> FEATURES = key("features");

    /** Which of its streams this is, from a zone that has one for each class of kinds. */
    public static final Metadata.Key<String> PRIORITY_CLASS = key("parley-priority-class");

    /** Tells instances of a zone's control plane apart. */
    public static final Metadata.Key<String> INSTANCE_ID = key("parley-instance-id");

    /** What {@link #KDS_VERSION} says of messages of the third version of the API. */
    public static final String VERSION_3 = "v3";

    private static final int MOST_FEATURES = 100;

    private SyncHeaders() {}

    /** Each may come in a header of its own, or several in one. */
    public static Features features(Metadata headers) {
        List<String> announced = new ArrayList<>();
        Iterable<String> values = headers.getAll(FEATURES);
        if (values != null) {
            for (String value : values) {
                for (String one : value.split(",", MOST_FEATURES)) {
                    announced.add(one.strip());
                }
            }
        }
        return Features.parse(announced);
    }

    public static void putFeatures(Metadata headers, Features features) {
        features.texts().forEach(text -> headers.put(FEATURES, text));
    }

    /** The API whose messages a multiplexed stream carries: that of version 2 unless the peer says otherwise, as Kuma's first zones did not. */
    public static Multiplexed.Messages messages(Metadata headers) {
        return VERSION_3.equals(headers.get(KDS_VERSION)) ? Multiplexed.Messages.V3 : Multiplexed.Messages.V2;
    }

    /** The class whose kinds travel on the stream; nothing if it carries all. */
    public static Optional<PriorityClass> priorityClass(Metadata headers) {
        return Optional.ofNullable(headers.get(PRIORITY_CLASS)).flatMap(PriorityClass::parse);
    }

    /** A header that anybody may have written, at a length that can be stored and shown. */
    public static String text(Metadata headers, Metadata.Key<String> key) {
        @Nullable String value = headers.get(key);
        return value == null ? "" : value.length() <= 253 ? value : value.substring(0, 253);
    }

    private static Metadata.Key<String> key(String name) {
        return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
    }
}
