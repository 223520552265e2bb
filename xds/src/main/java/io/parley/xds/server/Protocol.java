package io.parley.xds.server;

import io.parley.xds.server.RequestReader.Incoming;
import io.parley.xds.server.session.DeltaRequest;
import io.parley.xds.server.session.DeltaSession;
import io.parley.xds.server.session.DiscoverySession;
import io.parley.xds.server.session.Refusal;
import io.parley.xds.server.session.SessionContext;
import io.parley.xds.server.session.SotwRequest;
import io.parley.xds.server.session.SotwSession;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a call must know of a variant of the protocol: how to read its requests, open its session and put one into the other. */
record Protocol<R, S extends DiscoverySession>(Reader<R> reader, Opener<S> opener, Acceptor<R, S> acceptor) {
    static final Protocol<SotwRequest, SotwSession> SOTW =
            new Protocol<>(RequestReader::sotw, SotwSession::new, SotwSession::accept);
    static final Protocol<DeltaRequest, DeltaSession> DELTA =
            new Protocol<>(RequestReader::delta, DeltaSession::new, DeltaSession::accept);

    interface Reader<R> {
        Incoming<R> read(byte[] bytes) throws IOException;
    }

    interface Opener<S> {
        S open(@Nullable String onlyType, SessionContext context);
    }

    interface Acceptor<R, S> {
        Optional<Refusal> accept(S session, R request, long now);
    }
}
