package io.parley.control.gateway;

import io.parley.control.gateway.attach.CheckedGateway;
import io.parley.control.gateway.attach.GatewayCheck;
import io.parley.control.gateway.model.Name;
import io.parley.control.gateway.model.World;
import io.parley.control.gateway.status.ClassStatus;
import io.parley.control.gateway.status.GatewayStatus;
import io.parley.control.gateway.status.Serving;
import io.parley.control.gateway.status.Status;
import io.parley.control.gateway.xds.BoundRoute;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** Says what was found out about classes, Gateways and policies. */
final class Statements {
    private final World world;
    private final Translator.Output output;

    Statements(World world, Translator.Output output) {
        this.world = world;
        this.output = output;
    }

    void ofClass(String name) {
        world.classes()
                .find(name)
                .filter(found -> found.spec().controller().equals(Status.CONTROLLER))
                .ifPresent(found -> output.status(
                        found.key(), new ClassStatus(found.generation(), GatewayCheck.parametersOf(world, found))));
    }

    void ofGateway(CheckedGateway gateway, List<BoundRoute> bound, Serving serving) {
        List<Integer> attached =
                new ArrayList<>(Collections.nCopies(gateway.listeners().size(), 0));
        bound.stream()
                .filter(each -> each.route().isAcceptable())
                .forEach(route -> attached.set(route.listener(), attached.get(route.listener()) + 1));
        output.status(gateway.gateway().key(), new GatewayStatus(gateway, attached, serving));
    }

    void ofPolicy(Name name, Function<Name, Set<Name>> gatewaysTo) {
        Policies.status(world, name, gatewaysTo).ifPresent(status -> output.status(Policies.key(name), status));
    }
}
