package io.parley.control.destination;

import io.grpc.Status;
import io.parley.control.model.Endpoint;
import io.parley.control.model.MeshModel;
import io.parley.control.model.Model;
import io.parley.control.model.Service;
import io.parley.wire.destination.proto.AddrSet;
import io.parley.wire.destination.proto.NoEndpoints;
import io.parley.wire.destination.proto.TcpAddress;
import io.parley.wire.destination.proto.Update;
import io.parley.wire.destination.proto.WeightedAddr;
import io.parley.wire.destination.proto.WeightedAddrSet;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The answers to one {@code Get}: all endpoints first, then what was added and what went. */
final class EndpointUpdates {
    private final Target target;
    private boolean started;
    private boolean existed;
    private Map<TcpAddress, WeightedAddr> known = Map.of();

    EndpointUpdates(Target target) {
        this.target = target;
        if (target.isAddress()) {
            throw new IllegalArgumentException("path: " + target + " (expected: a name; profiles are for addresses)");
        }
    }

    List<Update> next(Model model) {
        boolean exists = target.exists(model);
        if (!started && !exists) {
            throw Status.NOT_FOUND
                    .withDescription("no such service: " + target + " (in mesh " + target.mesh() + ")")
                    .asRuntimeException();
        }
        Map<TcpAddress, WeightedAddr> now = addresses(model);
        List<Update> updates = updates(now, exists);
        started = true;
        existed = exists;
        known = now;
        return updates;
    }

    private List<Update> updates(Map<TcpAddress, WeightedAddr> now, boolean exists) {
        List<Update> updates = new ArrayList<>();
        if (now.isEmpty()) {
            if (!started || !known.isEmpty() || exists != existed) {
                updates.add(Update.newBuilder()
                        .setNoEndpoints(NoEndpoints.newBuilder().setExists(exists))
                        .build());
            }
            return updates;
        }
        WeightedAddrSet.Builder added = WeightedAddrSet.newBuilder();
        now.forEach((address, endpoint) -> {
            if (!endpoint.equals(known.get(address))) {
                added.addAddrs(endpoint);
            }
        });
        if (added.getAddrsCount() > 0) {
            added.putMetricLabels("service", target.host());
            updates.add(Update.newBuilder().setAdd(added).build());
        }
        AddrSet.Builder removed = AddrSet.newBuilder();
        known.keySet().stream().filter(address -> !now.containsKey(address)).forEach(removed::addAddrs);
        if (removed.getAddrsCount() > 0) {
            updates.add(Update.newBuilder().setRemove(removed).build());
        }
        return updates;
    }

    private Map<TcpAddress, WeightedAddr> addresses(Model model) {
        Map<TcpAddress, WeightedAddr> addresses = new LinkedHashMap<>();
        Optional<MeshModel> mesh = target.mesh(model);
        List<Endpoint> endpoints = target.service(model)
                .map(Service::endpoints)
                .map(all -> all.values())
                .orElse(List.of());
        for (Endpoint endpoint : endpoints) {
            if (endpoint.healthy()) {
                mesh.flatMap(each -> Addresses.of(endpoint, each))
                        .ifPresent(address -> addresses.put(address.getAddr(), address));
            }
        }
        return addresses;
    }
}
