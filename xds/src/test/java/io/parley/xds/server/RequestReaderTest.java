package io.parley.xds.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.Status;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.parley.xds.server.RequestReader.Incoming;
import io.parley.xds.server.session.DeltaRequest;
import io.parley.xds.server.session.ErrorDetail;
import io.parley.xds.server.session.SotwRequest;
import io.parley.xds.type.FederatedName;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RequestReaderTest {
    private static final DiscoveryRequest FULL = DiscoveryRequest.newBuilder()
            .setVersionInfo("v")
            .setNode(Node.newBuilder().setId("n"))
            .addResourceNames("a")
            .addResourceNames("b")
            .setTypeUrl("t")
            .setResponseNonce("7")
            .setErrorDetail(Status.newBuilder().setCode(3).setMessage("no"))
            .build();

    @Test
    void readsWhatTheGeneratedParserReads() throws Exception {
        Incoming<SotwRequest> incoming = RequestReader.sotw(FULL.toByteArray());
        assertThat(incoming.request().version()).isEqualTo("v");
        assertThat(incoming.request().typeUrl()).isEqualTo("t");
        assertThat(incoming.request().nonce()).isEqualTo("7");
        assertThat(incoming.request().error()).isEqualTo(new ErrorDetail(3, "no"));
        assertThat(incoming.request().names().decode()).containsExactly("a", "b");
        assertThat(incoming.parseNode().getId()).isEqualTo("n");
    }

    @Test
    void findsNamesThatDoNotStandSideBySide() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(
                DiscoveryRequest.newBuilder().addResourceNames("a").build().toByteArray());
        out.writeBytes(DiscoveryRequest.newBuilder().setTypeUrl("t").build().toByteArray());
        out.writeBytes(
                DiscoveryRequest.newBuilder().addResourceNames("b").build().toByteArray());
        assertThat(RequestReader.sotw(out.toByteArray()).request().names().decode())
                .containsExactly("a", "b");
    }

    /** Either both parsers refuse, or they read the same; anything else than a refusal may only be a difference in merging. */
    @FuzzTest
    void agreesWithTheGeneratedParser(byte[] bytes) {
        Incoming<SotwRequest> ours;
        try {
            ours = RequestReader.sotw(bytes);
            ours.request().names().decode();
        } catch (IOException refused) {
            return;
        }
        DiscoveryRequest theirs;
        try {
            theirs = DiscoveryRequest.parseFrom(bytes);
        } catch (InvalidProtocolBufferException refused) {
            return;
        }
        assertThat(ours.request().typeUrl()).isEqualTo(theirs.getTypeUrl());
        assertThat(ours.request().nonce()).isEqualTo(theirs.getResponseNonce());
        assertThat(ours.request().version()).isEqualTo(theirs.getVersionInfo());
        assertThat(ours.request().error() != null).isEqualTo(theirs.hasErrorDetail());
        try {
            assertThat(ours.request().names().decode()).isEqualTo(theirs.getResourceNamesList());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void readsEveryFieldOfADeltaRequest() throws Exception {
        DeltaDiscoveryRequest full = DeltaDiscoveryRequest.newBuilder()
                .setNode(Node.newBuilder().setId("n"))
                .setTypeUrl("t")
                .addResourceNamesSubscribe("a")
                .addResourceNamesSubscribe("b")
                .addResourceNamesUnsubscribe("c")
                .putInitialResourceVersions("a", "1")
                .putInitialResourceVersions("b", "2")
                .setResponseNonce("7")
                .setErrorDetail(Status.newBuilder().setCode(3).setMessage("no"))
                .build();

        Incoming<DeltaRequest> incoming = RequestReader.delta(full.toByteArray());

        assertThat(incoming.request())
                .isEqualTo(new DeltaRequest(
                        "t",
                        List.of("a", "b"),
                        List.of("c"),
                        Map.of("a", "1", "b", "2"),
                        "7",
                        new ErrorDetail(3, "no")));
        assertThat(incoming.parseNode().getId()).isEqualTo("n");
    }

    @FuzzTest
    void agreesWithTheGeneratedParserOfDeltaRequests(byte[] bytes) {
        Incoming<DeltaRequest> ours;
        DeltaDiscoveryRequest theirs;
        try {
            ours = RequestReader.delta(bytes);
            theirs = DeltaDiscoveryRequest.parseFrom(bytes);
        } catch (IOException refused) {
            return;
        }
        DeltaRequest request = ours.request();
        assertThat(request.typeUrl()).isEqualTo(theirs.getTypeUrl());
        assertThat(request.nonce()).isEqualTo(theirs.getResponseNonce());
        assertThat(request.error() != null).isEqualTo(theirs.hasErrorDetail());
        if (theirs.getResourceNamesSubscribeList().stream().noneMatch(FederatedName::is)) {
            assertThat(request.subscribe()).isEqualTo(theirs.getResourceNamesSubscribeList());
        }
        assertThat(request.unsubscribe()).hasSameSizeAs(theirs.getResourceNamesUnsubscribeList());
        if (theirs.getInitialResourceVersionsMap().keySet().stream().noneMatch(FederatedName::is)) {
            assertThat(request.initialVersions()).isEqualTo(theirs.getInitialResourceVersionsMap());
        }
    }

    /** Whether the length is known, or wrong, as with a stream that brings its bytes little by little. */
    @Test
    void aMessageIsReadToItsEndWhateverItsStreamSaysIsThere() {
        byte[] bytes = FULL.toByteArray();
        InputStream hesitant = new ByteArrayInputStream(bytes) {
            @Override
            public synchronized int available() {
                return Math.min(3, super.available());
            }
        };

        assertThat(Marshallers.BYTES.parse(hesitant)).isEqualTo(bytes);
        assertThat(Marshallers.BYTES.parse(new ByteArrayInputStream(bytes))).isEqualTo(bytes);
        assertThat(Marshallers.BYTES.parse(InputStream.nullInputStream())).isEmpty();
    }
}
