package io.parley.xds.server;

import static io.parley.xds.server.snapshot.Samples.cluster;
import static io.parley.xds.type.ResourceType.CLUSTER;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.concurrent.DefaultEventExecutor;
import io.parley.xds.server.session.ClientTraits;
import io.parley.xds.server.session.DeltaRequest;
import io.parley.xds.server.session.DeltaSession;
import io.parley.xds.server.session.EncodedResponse;
import io.parley.xds.server.session.NameSets;
import io.parley.xds.server.session.SessionContext;
import io.parley.xds.server.session.SessionEvents;
import io.parley.xds.server.session.SessionLimits;
import io.parley.xds.server.session.TypePolicy;
import io.parley.xds.server.snapshot.LiveSnapshot;
import io.parley.xds.server.snapshot.ResourceSet;
import io.parley.xds.server.snapshot.Snapshot;
import io.parley.xds.type.ApiVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Streams of one loop, of which one has no memory for its answer. */
class DiscoveryStreamTest {
    private final DefaultEventExecutor loop = new DefaultEventExecutor();
    private final LiveSnapshot live = new LiveSnapshot(state(1));

    @AfterEach
    void stop() {
        loop.shutdownGracefully(0, 0, TimeUnit.SECONDS).syncUninterruptibly();
    }

    @Test
    void anErrorEndsItsOwnStreamAndNoOther() throws Exception {
        Client poor = new Client();
        Client other = new Client();
        poor.outOfMemory = true;

        publish(2);
        publish(3);

        assertThat(poor.answers).as("of before").containsExactly(version(1));
        assertThat(poor.broken).hasExactlyElementsOfTypes(OutOfMemoryError.class);
        assertThat(poor.stream.isClosed()).isTrue();
        assertThat(other.answers).containsExactly(version(1), version(2), version(3));
        assertThat(live.watcherCount()).isEqualTo(1);
    }

    @Test
    void afterAnErrorTurnsGoOnToBeTaken_thoughItsEndFailsToo() throws Exception {
        Client poor = new Client();
        poor.outOfMemory = true;
        poor.cannotEnd = true;
        publish(2);
        List<String> turns = new ArrayList<>();

        loop.submit(() -> poor.stream.submit(() -> turns.add("taken"))).get();

        assertThat(turns).containsExactly("taken");
    }

    private void publish(int timeout) throws Exception {
        live.publish(state(timeout));
        loop.submit(() -> {}).get();
    }

    private static Snapshot state(int timeout) {
        return Snapshot.EMPTY.with(CLUSTER, ResourceSet.of(cluster("a", timeout)));
    }

    private static String version(int timeout) {
        return state(timeout).resources(CLUSTER).version();
    }

    /** Accepts all that it is sent. Used on the loop. */
    private final class Client implements DiscoveryStream.Transport {
        private final DeltaSession session = new DeltaSession(
                null,
                new SessionContext(
                        TypePolicy.xds(),
                        ClientTraits.PLAIN,
                        SessionLimits.DEFAULT,
                        SessionEvents.NONE,
                        new NameSets(),
                        "control plane"));
        private final DiscoveryStream stream =
                new DiscoveryStream(session, live, this, loop, System::nanoTime, DiscoveryStream.Timing.NONE);
        private final List<String> answers = new ArrayList<>();
        private final List<Throwable> broken = new ArrayList<>();
        private volatile boolean outOfMemory;
        private volatile boolean cannotEnd;

        Client() throws Exception {
            stream.open();
            loop.submit(() -> request("")).get();
        }

        private void request(String nonce) {
            DeltaRequest request =
                    new DeltaRequest(CLUSTER.url(ApiVersion.V3), List.of(), List.of(), Map.of(), nonce, null);
            stream.submit(
                    () -> assertThat(session.accept(request, System.nanoTime())).isEmpty());
        }

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void send(EncodedResponse response) {
            if (outOfMemory) {
                throw new OutOfMemoryError("no room for an answer");
            }
            answers.add(response.version());
            request(response.nonce());
        }

        @Override
        public void broken(Throwable fault) {
            broken.add(fault);
            if (cannotEnd) {
                throw new OutOfMemoryError("no room for an end");
            }
        }
    }
}
