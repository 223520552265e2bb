package io.parley.link.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.EventExecutor;
import io.parley.link.CallRefusal;
import io.parley.link.Link;
import io.parley.link.Rpc;
import io.parley.link.ServiceHandler;
import io.parley.link.Services;
import io.parley.link.client.ClientService;
import io.parley.wire.wrpc.CloseReason;
import io.parley.wire.wrpc.proto.PushRequest;
import io.parley.wire.wrpc.proto.VersionedResource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ConfigClientV2Test {
    private static final ByteString TEN_MEGABYTES = ByteString.copyFrom(new byte[10 << 20]);

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final List<String> applied = new ArrayList<>();
    private final ServiceHandler handler = ConfigClientV2.service(new Sink(), ClientService.Need.REQUIRED)
            .opener()
            .apply(new SilentLink());

    @AfterEach
    void close() {
        handler.close();
        channel.finishAndReleaseAll();
    }

    @Test
    void whatCameOfAChangeThatWasBrokenOffIsNotAppliedWithTheNext() {
        push(part("clusters", "1", "stale").setMore(true));

        push(part("clusters", "2", "a").setMore(true));
        push(part("clusters", "2", "b"));

        assertThat(applied).containsExactly("clusters 2 [a, b]");
    }

    @Test
    void changesOfSeveralTypesMayComeInTurns() {
        push(part("clusters", "1", "a").setMore(true));
        push(part("routes", "9", "r"));
        push(part("clusters", "1", "b"));

        assertThat(applied).containsExactly("routes 9 [r]", "clusters 1 [a, b]");
    }

    @Test
    void aChangeThatIsTooLargeTakesNoOtherWithIt() {
        push(part("clusters", "1", "a").setMore(true));
        List<Boolean> taken = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            taken.add(push(large("routes")));
        }

        assertThat(taken).containsExactly(true, true, true, false);
        push(part("clusters", "1", "b"));
        assertThat(applied).containsExactly("clusters 1 [a, b]");
        assertThat(push(large("routes"))).as("there is room again").isTrue();
    }

    private static PushRequest.Builder part(String type, String version, String name) {
        return PushRequest.newBuilder()
                .setTypeUrl(type)
                .setSystemVersion(version)
                .addResources(VersionedResource.newBuilder().setName(name));
    }

    private static PushRequest.Builder large(String type) {
        return PushRequest.newBuilder()
                .setTypeUrl(type)
                .setSystemVersion("1")
                .addResources(VersionedResource.newBuilder().setValue(TEN_MEGABYTES))
                .setMore(true);
    }

    private boolean push(PushRequest.Builder push) {
        try {
            return handler.serve(Services.PUSH.method(), push.build().toByteString())
                    .isDone();
        } catch (CallRefusal _) {
            return false;
        }
    }

    private final class Sink implements ConfigSink {
        @Override
        public Map<String, Map<String, String>> held() {
            return Map.of();
        }

        @Override
        public CompletableFuture<Void> apply(Change change) {
            List<String> names =
                    change.changed().stream().map(VersionedResource::getName).toList();
            applied.add(change.typeUrl() + " " + change.version() + " " + names);
            return CompletableFuture.completedFuture(null);
        }
    }

    private final class SilentLink implements Link {
        @Override
        public <Q extends Message, A extends Message> CompletableFuture<A> call(
                Rpc<Q, A> rpc, Q request, Duration timeout) {
            return new CompletableFuture<>();
        }

        @Override
        public void close(CloseReason reason) {}

        @Override
        public CompletableFuture<CloseReason> closed() {
            return new CompletableFuture<>();
        }

        @Override
        public EventExecutor loop() {
            return channel.eventLoop();
        }
    }
}
