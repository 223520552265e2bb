package io.parley.proxy.exchange;

import io.parley.proxy.config.Endpoint;
import io.parley.proxy.config.HttpUpstream.Version;
import io.parley.proxy.route.RequestView;

/** Told what becomes of the requests of one exchange, one after the other. */
public interface Account {
    /** One who does not want to know. */
    Account NONE = new Account() {
        @Override
        public void began(RequestView request) {}

        @Override
        public void went(Endpoint endpoint) {}

        @Override
        public void failed(String cause) {}

        @Override
        public void ended(String route, int status, long nanos) {}
    };

    /** Opens accounts. */
    interface Keeper {
        Account open(Connection connection, Version version);
    }

    /** A request has come; its head is valid during this call. */
    void began(RequestView request);

    /** It is sent to this endpoint; more than once if there is more than one try. */
    void went(Endpoint endpoint);

    /** The proxy answers in the server's place, or cuts the answer off, for this cause. */
    void failed(String cause);

    /**
     * It is over.
     *
     * @param status 0 if there was no answer
     */
    void ended(String route, int status, long nanos);
}
