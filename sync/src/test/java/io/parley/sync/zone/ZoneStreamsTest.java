package io.parley.sync.zone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.parley.agreement.sync.Features;
import io.parley.agreement.sync.SyncVersion;
import io.parley.resource.kind.Kinds;
import io.parley.store.ResourceStore;
import io.parley.store.Retention;
import io.parley.store.memory.MemoryStore;
import io.parley.sync.ZoneSettings;
import io.parley.sync.admin.Answer;
import io.parley.sync.status.SyncMetrics;
import java.net.URI;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ZoneStreamsTest {
    private final List<String> said = new ArrayList<>();

    @Test
    void aStreamThatIsOpenEndsIfTheOthersCannotBeOpened() {
        Introduction self = Introduction.of(ZoneSettings.of("zone-1", "zone-1-cp-1", "0.1.0"));
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
                Followers followers = new Followers(store(), self.settings().pace(), metrics());
                ZoneConnection connection = connection(self)) {
            // Nothing is known of the kinds that global sends: a fault of ours, found when a stream for them is open.
            ZoneSync.Shared faulty = new ZoneSync.Shared(
                    new Channels(URI.create("grpc://127.0.0.1:1"), null, null),
                    self,
                    followers,
                    Map.of(),
                    Answer.Source.NOBODY,
                    metrics(),
                    executor,
                    new Random(1));
            ZoneConnection.Agreed agreed =
                    new ZoneConnection.Agreed(SyncVersion.DELTA, Features.NONE, ZoneConnection.Basis.HANDSHAKE);

            assertThatThrownBy(() -> ZoneStreams.open(connection, agreed, null, faulty))
                    .isInstanceOf(IllegalStateException.class);

            assertThat(said).first().isEqualTo("start");
            assertThat(said).last().isEqualTo("cancel");
        }
    }

    private static ResourceStore store() {
        return new MemoryStore(Retention.DEFAULT, InstantSource.system());
    }

    private static SyncMetrics metrics() {
        return new SyncMetrics(new SimpleMeterRegistry(), Kinds.all());
    }

    private ZoneConnection connection(Introduction self) {
        return new ZoneConnection(
                Grpc.newChannelBuilderForAddress("127.0.0.1", 1, InsecureChannelCredentials.create())
                        .intercept(new Unanswered())
                        .build(),
                CallOptions.DEFAULT,
                self);
    }

    /** Calls that go nowhere. */
    private final class Unanswered implements ClientInterceptor {
        @Override
        public <Q, A> ClientCall<Q, A> interceptCall(MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
            return new ClientCall<>() {
                @Override
                public void start(Listener<A> listener, Metadata headers) {
                    said.add("start");
                }

                @Override
                public void request(int messages) {}

                @Override
                public void cancel(@Nullable String message, @Nullable Throwable cause) {
                    said.add("cancel");
                }

                @Override
                public void halfClose() {}

                @Override
                public void sendMessage(Q message) {}
            };
        }
    }
}
