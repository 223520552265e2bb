package io.parley.control.explain;

import io.parley.control.model.Dataplane;
import io.parley.control.model.MeshModel;
import io.parley.control.model.Model;
import io.parley.control.policy.Destination;
import io.parley.control.policy.Merges;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Answers questions from the model that configurations are made from, by the same rules. */
public final class Explainer {
    /** What a step is about that tells what could not be made of a proxy's configuration. */
    public static final String NOT_DONE = "not done";

    private final Supplier<Model> model;
    private final Observations observed;
    private final Merges merges = new Merges();

    public Explainer(Supplier<Model> model, Observations observed) {
        this.model = model;
        this.observed = observed;
    }

    /**
     * What happens to a connection.
     *
     * @param from a Dataplane, or a service, of which any will do
     * @param to a service, or what the workload dials: an address or name and a port
     */
    public Explanation connection(String meshName, String from, String to) {
        Model now = model.get();
        MeshModel mesh = mesh(now, meshName);
        Dataplane caller = dataplane(mesh, "from", from);
        Target target = Targets.find(now, mesh, caller, to);
        List<Step> steps = new ArrayList<>();
        steps.add(Step.plain("from", "Dataplane/" + caller.name(), callerReason(caller, from)));
        steps.add(target.step());
        addProblems(mesh, caller, steps);
        new ConnectionSteps(now, mesh, caller, target, merges, observed).addTo(steps);
        return new Explanation("connection in mesh " + meshName + " from " + from + " to " + to, steps);
    }

    /**
     * Which policies act on a proxy.
     *
     * @param to a service; null for all that does not depend on a destination
     */
    public Explanation policy(String meshName, String dataplane, @Nullable String to) {
        Model now = model.get();
        MeshModel mesh = mesh(now, meshName);
        Dataplane proxy = dataplane(mesh, "dataplane", dataplane);
        List<Step> steps = new ArrayList<>();
        addProblems(mesh, proxy, steps);
        PolicySteps policies = new PolicySteps(mesh, proxy, merges);
        if (to == null) {
            proxy.spec().inbound().forEach(inbound -> policies.addInbound(inbound, steps));
            policies.addProxy(steps);
        } else {
            Target target = Targets.find(now, mesh, proxy, to);
            policies.addTo(Destination.of(mesh, target.service(), Map.of()), steps);
        }
        policies.addShadow(steps);
        now.notApplied().forEach((key, newer) -> {
            if (key.space().equals(meshName)) {
                steps.add(new Step(
                        "not applied",
                        key.kind() + "/" + key.name(),
                        "stored, not applied: write a " + newer + " instead",
                        key.toString(),
                        "",
                        "old policies are kept and synchronised only"));
            }
        });
        String question = "policies on Dataplane " + proxy.name() + (to == null ? "" : " to " + to);
        return new Explanation(question, steps);
    }

    private void addProblems(MeshModel mesh, Dataplane proxy, List<Step> steps) {
        observed.problems(mesh.name(), proxy.name())
                .forEach(problem -> steps.add(new Step(
                        NOT_DONE,
                        "Dataplane/" + proxy.name(),
                        problem,
                        "Dataplane/" + proxy.name(),
                        "",
                        "what can be made of a configuration is made")));
    }

    private static MeshModel mesh(Model model, String name) {
        return model.mesh(name)
                .orElseThrow(() -> new UnknownName(
                        "mesh: " + name + " (expected: one of " + model.meshes().keys() + ")"));
    }

    /** A Dataplane by its name or the one that people gave it, else the first of a service. */
    private static Dataplane dataplane(MeshModel mesh, String asked, String name) {
        return mesh.dataplanes()
                .find(name)
                .or(() -> mesh.dataplanes().values().stream()
                        .filter(dataplane -> dataplane.displayName().equals(name)
                                || dataplane.services().contains(name))
                        .findFirst())
                .orElseThrow(() -> new UnknownName(asked + ": " + name + " (expected: the name of a Dataplane"
                        + " or of a service in mesh " + mesh.name() + ")"));
    }

    private static String callerReason(Dataplane caller, String from) {
        String identity =
                caller.identity().map(id -> ", known to others as " + id).orElse("");
        boolean named = caller.name().equals(from) || caller.displayName().equals(from);
        return (named ? "the Dataplane of that name" : "the first Dataplane of service " + from) + identity;
    }

    public List<Overview.MeshLine> meshes() {
        return Overview.meshes(model.get());
    }

    public List<Overview.ServiceLine> services(String meshName) {
        return Overview.services(mesh(model.get(), meshName));
    }

    public List<Overview.NameLine> names(String meshName) {
        return Overview.names(mesh(model.get(), meshName));
    }

    public List<Overview.PolicyLine> policies(String meshName) {
        Model now = model.get();
        return Overview.policies(now, mesh(now, meshName));
    }
}
