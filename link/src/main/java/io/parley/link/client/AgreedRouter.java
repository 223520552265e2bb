package io.parley.link.client;

import com.google.protobuf.ByteString;
import io.parley.link.CallRefusal;
import io.parley.link.Link;
import io.parley.link.ServiceHandler;
import io.parley.link.peer.CallRouter;
import io.parley.wire.wrpc.ErrorCode;
import io.parley.wire.wrpc.Method;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** The node's gate: until a service is opened on this connection, nobody can call it. */
final class AgreedRouter implements CallRouter {
    private final Map<Integer, ServiceHandler> open = new HashMap<>();

    void open(Link link, List<ClientService> services, Map<String, String> accepted) {
        for (ClientService service : services) {
            if (service.version().equals(accepted.get(service.name()))) {
                open.put(service.serviceId(), service.opener().apply(link));
            }
        }
    }

    @Override
    public CompletableFuture<ByteString> route(Method method, ByteString payload) {
        ServiceHandler service = open.get(method.service());
        if (service == null) {
            throw new CallRefusal(
                    ErrorCode.INVALID_SERVICE,
                    "service " + Integer.toUnsignedString(method.service()) + " was not agreed on this connection");
        }
        return service.serve(method, payload);
    }

    void close() {
        open.values().forEach(ServiceHandler::close);
        open.clear();
    }
}
