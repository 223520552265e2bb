package io.parley.sync.admin;

import com.google.protobuf.ByteString;
import io.parley.wire.sync.proto.AdminResponse;

/** What became of a question. */
public sealed interface Answer {
    /** A document, as a rule JSON. */
    record Found(String text) implements Answer {}

    /** None, and why. */
    record Failed(String because) implements Answer {}

    default AdminResponse message(String id) {
        AdminResponse.Builder response = AdminResponse.newBuilder().setRequestId(id);
        return switch (this) {
            case Found(String text) ->
                response.setPayload(ByteString.copyFromUtf8(text)).build();
            case Failed(String because) -> response.setError(because).build();
        };
    }

    static Answer of(AdminResponse response) {
        return switch (response.getResultCase()) {
            case PAYLOAD -> new Found(response.getPayload().toStringUtf8());
            case ERROR -> new Failed(response.getError());
            case RESULT_NOT_SET -> new Failed("the zone answered without a result");
        };
    }

    /** Whoever knows the zone's proxies. May block. */
    @FunctionalInterface
    interface Source {
        Source NOBODY = question -> new Failed("this control plane tells nothing of its proxies");

        Answer answer(Question question);
    }
}
