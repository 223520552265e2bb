package io.parley.control.zone;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.parley.control.model.Endpoint;
import io.parley.control.model.MeshModel;
import io.parley.control.model.Model;
import io.parley.control.model.Names;
import io.parley.control.model.Protocol;
import io.parley.control.model.Service;
import java.util.Map;
import java.util.TreeMap;

/**
 * The services that other zones can reach here: those with proxies of a mesh whose traffic is encrypted, since an ingress passes
 * connections on by what their TLS asks for. Each is announced with what is declared of it here, by whatever means that was.
 */
final class Offers {
    private Offers() {}

    /** As {@code availableServices} of a ZoneIngress has them: instances with the same tags as one, in a steady order. */
    static ArrayNode of(Model model, String zone) {
        ArrayNode services = JsonNodeFactory.instance.arrayNode();
        for (MeshModel mesh : model.meshes().values()) {
            if (mesh.authority().isPresent()) {
                mesh.services().values().forEach(service -> add(mesh.name(), service, zone, services));
            }
        }
        return services;
    }

    private static void add(String mesh, Service service, String zone, ArrayNode services) {
        Map<String, Integer> instances = new TreeMap<>();
        Map<String, Map<String, String>> tags = new TreeMap<>();
        for (Endpoint endpoint : service.endpoints().values()) {
            if (endpoint.kind() == Endpoint.Kind.SIDECAR && endpoint.healthy()) {
                Map<String, String> announced = announced(service, endpoint, zone);
                tags.put(announced.toString(), announced);
                instances.merge(announced.toString(), 1, Integer::sum);
            }
        }
        tags.forEach((text, announced) -> {
            ObjectNode available = services.addObject();
            announced.forEach(available.putObject("tags")::put);
            available.put("instances", instances.get(text)).put("mesh", mesh);
        });
    }

    private static Map<String, String> announced(Service service, Endpoint endpoint, String zone) {
        Map<String, String> announced = new TreeMap<>(endpoint.tags());
        announced.put(Names.SERVICE, service.name());
        announced.put(Names.ZONE, zone);
        Protocol protocol = service.protocol().value();
        if (protocol == Protocol.DETECT) {
            announced.remove(Names.PROTOCOL);
        } else {
            announced.put(Names.PROTOCOL, protocol.tag());
        }
        service.headerPort().ifPresent(port -> announced.put(Names.PORT, Integer.toString(port)));
        return announced;
    }
}
