package io.parley.xds.server;

import static io.parley.xds.server.Requests.request;
import static io.parley.xds.server.snapshot.Samples.cluster;
import static io.parley.xds.type.ResourceType.CLUSTER;
import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Attributes;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import io.parley.xds.server.SnapshotSource.Admission;
import io.parley.xds.server.session.EncodedResponse;
import io.parley.xds.server.snapshot.LiveSnapshot;
import io.parley.xds.server.snapshot.ResourceSet;
import io.parley.xds.server.snapshot.Snapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Ends of streams at moments that threads bring about only now and then; here they are brought about by calling back. */
class EndOfStreamTest {
    private static final byte[] GARBAGE = {(byte) 0xff};

    private final List<String> events = new ArrayList<>();
    private final LiveSnapshot live = new LiveSnapshot(Snapshot.EMPTY.with(CLUSTER, ResourceSet.of(cluster("a"))));
    private Runnable whileSending = () -> {};
    private Runnable whileAdmitting = () -> {};
    private final FakeTicker ticker = new FakeTicker();
    private final XdsServer xds = XdsServer.builder(_ -> {
                whileAdmitting.run();
                return new Admission.Serve(live);
            })
            .listener(new RecordedStreams(events))
            .executor(Runnable::run)
            .ticker(ticker)
            .build();

    /** A call may not be closed while an answer is handed to it. */
    @Test
    void aBadRequestEndsTheStreamOnlyAfterTheAnswerThatIsBeingSent() {
        FakeCall call = new FakeCall();
        ServerCall.Listener<byte[]> client = open(call);
        whileSending = () -> client.onMessage(GARBAGE);

        client.onMessage(request(CLUSTER).build().toByteArray());

        assertThat(call.log).containsExactly("answer", "answered", "closed INVALID_ARGUMENT");
        assertThat(live.watcherCount()).isZero();
        assertThat(events).containsExactly("opened ", "closed ");
    }

    @Test
    void aStreamThatEndsWhileItIsAdmittedIsClosedAsOftenAsItIsOpened() {
        FakeCall call = new FakeCall();
        ServerCall.Listener<byte[]> client = open(call);
        whileAdmitting = () -> {
            xds.drain(Duration.ZERO);
            xds.tick();
        };

        client.onMessage(request(CLUSTER).build().toByteArray());

        assertThat(call.log).containsExactly("closed UNAVAILABLE");
        assertThat(live.watcherCount()).isZero();
        assertThat(xds.streamCount()).isZero();
        assertThat(events).containsExactly("opened ", "closed ");
    }

    @Test
    void aStreamOnWhichNothingIsAskedLosesItsPlace() {
        FakeCall silent = new FakeCall();
        open(silent);
        ticker.advance(ServerLimits.DEFAULT.sendTimeout().minusMillis(1));
        xds.tick();
        assertThat(silent.log).isEmpty();

        ticker.advance(Duration.ofMillis(1));
        xds.tick();

        assertThat(silent.log).containsExactly("closed DEADLINE_EXCEEDED");
        assertThat(xds.streamCount()).isZero();
    }

    @SuppressWarnings("unchecked") // the server's methods take and give bytes
    private ServerCall.Listener<byte[]> open(FakeCall call) {
        ServerMethodDefinition<byte[], EncodedResponse> method =
                (ServerMethodDefinition<byte[], EncodedResponse>) xds.services().getFirst().getMethods().stream()
                        .filter(each ->
                                each.getMethodDescriptor().getFullMethodName().endsWith("/StreamAggregatedResources"))
                        .findAny()
                        .orElseThrow();
        return method.getServerCallHandler().startCall(call, new Metadata());
    }

    private final class FakeCall extends ServerCall<byte[], EncodedResponse> {
        private final List<String> log = new ArrayList<>();

        @Override
        public void request(int messages) {}

        @Override
        public void sendHeaders(Metadata headers) {}

        @Override
        public void sendMessage(EncodedResponse message) {
            log.add("answer");
            whileSending.run();
            log.add("answered");
        }

        @Override
        public void close(Status status, Metadata trailers) {
            log.add("closed " + status.getCode());
        }

        @Override
        public boolean isCancelled() {
            return false;
        }

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public Attributes getAttributes() {
            return Attributes.EMPTY;
        }

        @Override
        public @Nullable String getAuthority() {
            return null;
        }

        @Override
        public MethodDescriptor<byte[], EncodedResponse> getMethodDescriptor() {
            throw new UnsupportedOperationException("nobody asks for it");
        }
    }
}
