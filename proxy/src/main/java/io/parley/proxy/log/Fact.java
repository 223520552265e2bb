package io.parley.proxy.log;

import io.parley.proxy.AddressText;
import org.jspecify.annotations.Nullable;

/** What commands without an argument stand for. The names are Envoy's. */
enum Fact {
    PROTOCOL,
    RESPONSE_CODE,
    RESPONSE_CODE_DETAILS,
    RESPONSE_FLAGS,
    BYTES_RECEIVED,
    BYTES_SENT,
    DURATION,
    UPSTREAM_HOST,
    UPSTREAM_CLUSTER,
    ROUTE_NAME,
    DOWNSTREAM_REMOTE_ADDRESS,
    DOWNSTREAM_REMOTE_ADDRESS_WITHOUT_PORT,
    DOWNSTREAM_DIRECT_REMOTE_ADDRESS,
    DOWNSTREAM_DIRECT_REMOTE_ADDRESS_WITHOUT_PORT,
    DOWNSTREAM_LOCAL_ADDRESS,
    DOWNSTREAM_LOCAL_ADDRESS_WITHOUT_PORT,
    DOWNSTREAM_LOCAL_PORT,
    DOWNSTREAM_PEER_URI_SAN;

    /** A text or a {@code Long}; null if there is none. */
    @Nullable
    Object of(Entry entry) {
        return switch (this) {
            case PROTOCOL -> entry.protocol();
            case RESPONSE_CODE -> (long) entry.status();
            case RESPONSE_CODE_DETAILS -> entry.cause();
            case RESPONSE_FLAGS -> Flags.of(entry);
            case BYTES_RECEIVED -> entry.received();
            case BYTES_SENT -> entry.sent();
            case DURATION -> entry.took().toMillis();
            case UPSTREAM_HOST -> entry.endpoint() == null ? null : AddressText.of(entry.endpoint());
            case UPSTREAM_CLUSTER -> entry.cluster();
            case ROUTE_NAME -> entry.route();
            case DOWNSTREAM_REMOTE_ADDRESS -> AddressText.of(entry.from().client());
            case DOWNSTREAM_REMOTE_ADDRESS_WITHOUT_PORT ->
                AddressText.host(entry.from().client());
            case DOWNSTREAM_DIRECT_REMOTE_ADDRESS -> AddressText.of(entry.from().peer());
            case DOWNSTREAM_DIRECT_REMOTE_ADDRESS_WITHOUT_PORT ->
                AddressText.host(entry.from().peer());
            case DOWNSTREAM_LOCAL_ADDRESS -> AddressText.of(entry.destination());
            case DOWNSTREAM_LOCAL_ADDRESS_WITHOUT_PORT -> AddressText.host(entry.destination());
            case DOWNSTREAM_LOCAL_PORT -> (long) entry.destination().getPort();
            case DOWNSTREAM_PEER_URI_SAN -> entry.peer();
        };
    }
}
