package io.parley.link.server;

import com.google.protobuf.ByteString;
import io.parley.agreement.version.NegotiationAnswer;
import io.parley.agreement.version.NegotiationRequest;
import io.parley.agreement.version.NodeDescription;
import io.parley.link.CallRefusal;
import io.parley.link.ServiceHandler;
import io.parley.link.Services;
import io.parley.link.negotiation.NegotiationMessages;
import io.parley.link.peer.CallRouter;
import io.parley.wire.wrpc.ErrorCode;
import io.parley.wire.wrpc.Method;
import io.parley.wire.wrpc.proto.NegotiateServicesRequest;
import io.parley.wire.wrpc.proto.NegotiateServicesResponse;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Lets pass what this connection has agreed to and nothing else. Before the negotiation only the negotiation can be called. The
 * negotiation is answered at once, so of calls sent together with it each is judged by its result. A second one is refused and
 * changes nothing. The gate dies with its connection, and with it everything that was agreed.
 */
final class NegotiationGate implements CallRouter {
    private final Negotiation negotiation;
    private final String controlPlaneId;
    private final Map<Integer, ServiceHandler> open = new HashMap<>();
    private boolean negotiated;

    /** What the gate needs from its surroundings. */
    interface Negotiation {
        NegotiationAnswer answer(NegotiationRequest request);

        /** Begins to serve what was accepted. */
        Map<Integer, ServiceHandler> open(NodeDescription node, NegotiationAnswer.Answered answer);

        /** Told of every answer, before it is sent. */
        void answered(NegotiationRequest request, NegotiationAnswer answer);
    }

    NegotiationGate(Negotiation negotiation, String controlPlaneId) {
        this.negotiation = negotiation;
        this.controlPlaneId = controlPlaneId;
    }

    @Override
    public CompletableFuture<ByteString> route(Method method, ByteString payload) {
        if (method.service() == Services.NEGOTIATION) {
            if (!method.equals(Services.NEGOTIATE.method())) {
                throw new CallRefusal(ErrorCode.INVALID_RPC, "unknown procedure: " + method);
            }
            return CompletableFuture.completedFuture(
                    negotiate(Services.NEGOTIATE.readRequest(payload)).toByteString());
        }
        ServiceHandler service = open.get(method.service());
        if (service == null) {
            String reason = negotiated ? "this connection did not agree to it" : "negotiate first";
            throw new CallRefusal(
                    ErrorCode.INVALID_SERVICE,
                    "service " + Integer.toUnsignedString(method.service()) + " is not available: " + reason);
        }
        return service.serve(method, payload);
    }

    boolean negotiated() {
        return negotiated;
    }

    void close() {
        open.values().forEach(ServiceHandler::close);
        open.clear();
    }

    private NegotiateServicesResponse negotiate(NegotiateServicesRequest message) {
        if (negotiated) {
            return NegotiationMessages.write(
                    new NegotiationAnswer.Invalid("this connection has negotiated already; open another one"),
                    controlPlaneId);
        }
        NegotiationRequest request = NegotiationMessages.read(message);
        NegotiationAnswer answer = negotiation.answer(request);
        if (answer instanceof NegotiationAnswer.Answered answered && request.node() != null) {
            negotiated = true;
            open.putAll(negotiation.open(request.node(), answered));
        }
        negotiation.answered(request, answer);
        return NegotiationMessages.write(answer, controlPlaneId);
    }
}
