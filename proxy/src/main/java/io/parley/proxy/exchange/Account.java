package io.parley.proxy.exchange;

import io.parley.proxy.config.Endpoint;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.http.HttpConfig;
import io.parley.proxy.pool.Answer;
import io.parley.proxy.route.RequestView;
import io.parley.wire.http.Fields;

/** Told what becomes of the requests of one exchange, one after the other. */
public interface Account {
    /** One who does not want to know. */
    Account NONE = new Account() {};

    /** Opens accounts. */
    interface Keeper {
        /** An account of requests that this configuration holds for. */
        Account open(Connection connection, HttpConfig config, Version version);

        /** This one and another. */
        default Keeper and(Keeper other) {
            return (connection, config, version) ->
                    open(connection, config, version).and(other.open(connection, config, version));
        }
    }

    /** This one and another; nobody is asked who does not want to know. */
    private Account and(Account other) {
        return equals(NONE) ? other : other.equals(NONE) ? this : new Both(this, other);
    }

    /** A request has come; its head is valid during this call. */
    default void began(RequestView request) {}

    /** Whether the server is to be told of the request's place in a trace, so that its head cannot pass as it came. */
    default boolean changesHead() {
        return false;
    }

    /** Changes the head on its way to the server. */
    default void change(Fields head) {}

    /** It is sent to this endpoint; more than once if there is more than one try. */
    default void went(String cluster, Endpoint endpoint) {}

    /** Whether the content of the answer must be counted, so that it cannot pass as it came. */
    default boolean countsContent() {
        return false;
    }

    /** The server has answered; the head is valid during this call. */
    default void answered(Answer answer) {}

    /** The proxy answers in the server's place, or cuts the answer off, for this cause. */
    default void failed(String cause) {}

    /** What gRPC says of the outcome of a call, before it is over. */
    default void grpc(int code) {}

    /**
     * It is over.
     *
     * @param status 0 if there was no answer
     * @param received bytes of the request's content
     * @param sent bytes of the answer's content, if they are counted
     */
    default void ended(String route, int status, long nanos, long received, long sent) {}
}
