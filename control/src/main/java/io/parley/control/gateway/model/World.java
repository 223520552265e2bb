package io.parley.control.gateway.model;

import io.parley.control.model.Tree;
import io.parley.resource.backend.BackendProtocolSpec;
import io.parley.resource.core.EndpointSliceSpec;
import io.parley.resource.core.ServiceSpec;
import io.parley.resource.gateway.BackendTlsPolicySpec;
import io.parley.resource.gateway.GatewayClassSpec;
import io.parley.resource.gateway.GatewaySpec;
import io.parley.resource.gateway.ObjectRef;
import io.parley.resource.gateway.ReferenceGrantSpec;
import io.parley.resource.gateway.RouteSpec;
import io.parley.store.Event;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * All objects that gateways are made of. Never changes: a step gives a new one that shares what did not change.
 *
 * @param slices by Service, then by their own name
 * @param owners the Service of each slice
 * @param grants by namespace, then by name, as policies and protocols
 * @param namespaces the labels of each
 */
public record World(
        Tree<String, Declared<GatewayClassSpec>> classes,
        Tree<Name, Declared<GatewaySpec>> gateways,
        Tree<RouteName, Declared<RouteSpec>> routes,
        Tree<Name, ServiceSpec> services,
        Tree<Name, Tree<String, EndpointSliceSpec>> slices,
        Tree<Name, Name> owners,
        Tree<String, Tree<String, ReferenceGrantSpec>> grants,
        Tree<String, Tree<String, Declared<BackendTlsPolicySpec>>> policies,
        Tree<String, Tree<String, BackendProtocolSpec>> protocols,
        Tree<DataName, Texts> data,
        Tree<String, Map<String, String>> namespaces) {
    /** Every namespace has this label, as in Kubernetes, whether or not anybody declared the namespace. */
    private static final String NAME_LABEL = "kubernetes.io/metadata.name";

    public static final World EMPTY = new World(
            Tree.empty(),
            Tree.empty(),
            Tree.empty(),
            Tree.empty(),
            Tree.empty(),
            Tree.empty(),
            Tree.empty(),
            Tree.empty(),
            Tree.empty(),
            Tree.empty(),
            Tree.empty());

    /** A world, and in what it differs from the one before. */
    public record Step(World world, Set<Touched> touched) {}

    public Step after(Collection<Event> events) {
        WorldEditor editor = new WorldEditor(this);
        events.forEach(editor::apply);
        return editor.finish();
    }

    /** Whether objects of a kind in one namespace may refer to an object in another. */
    public boolean permits(ReferenceGrantSpec.From who, String namespace, ObjectRef what) {
        return who.namespace().equals(namespace)
                || inner(grants, namespace).stream().anyMatch(grant -> grant.permits(who, what));
    }

    public Collection<EndpointSliceSpec> slicesOf(Name service) {
        return slices.find(service).map(Tree::values).orElse(List.of());
    }

    public List<Declared<BackendTlsPolicySpec>> policiesIn(String namespace) {
        return inner(policies, namespace);
    }

    public Map<String, String> labelsOf(String namespace) {
        Map<String, String> labels =
                new java.util.HashMap<>(namespaces.find(namespace).orElse(Map.of()));
        labels.put(NAME_LABEL, namespace);
        return labels;
    }

    private static <V> List<V> inner(Tree<String, Tree<String, V>> all, String namespace) {
        return all.find(namespace).map(Tree::values).orElse(List.of());
    }
}
