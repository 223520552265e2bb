package io.parley.control.destination;

import io.parley.control.model.Endpoint;
import io.parley.control.model.MeshModel;
import io.parley.control.model.Model;
import io.parley.control.model.Service;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds endpoints by their address: looked through once for each model, however many streams ask. */
final class AddressIndex {
    private record Place(String mesh, String host, int port) {}

    private record Made(Model model, Map<Place, Endpoint> endpoints) {}

    private volatile @Nullable Made last;

    @SuppressWarnings(
            "ReferenceEquality") // whether it is that very model; to compare all that is in two would take longer
    Optional<Endpoint> find(Model model, String mesh, String host, int port) {
        Made made = last;
        if (made == null || made.model() != model) {
            made = new Made(model, endpoints(model));
            last = made;
        }
        return Optional.ofNullable(made.endpoints().get(new Place(mesh, host, port)));
    }

    private static Map<Place, Endpoint> endpoints(Model model) {
        Map<Place, Endpoint> endpoints = new HashMap<>();
        for (MeshModel mesh : model.meshes().values()) {
            for (Service service : mesh.services().values()) {
                for (Endpoint endpoint : service.endpoints().values()) {
                    endpoints.putIfAbsent(new Place(mesh.name(), endpoint.address(), endpoint.port()), endpoint);
                }
            }
        }
        return endpoints;
    }
}
