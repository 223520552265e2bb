package io.parley.proxy.config.xds;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import com.google.protobuf.UnknownFieldSet;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.Secret;
import io.parley.resource.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The list of what is understood, held against Envoy's own messages. */
class SubsetTest {
    private static final int UNHEARD_OF = 77_777;

    private final Map<String, Descriptor> reached = new TreeMap<>();
    private final List<String> missing = new ArrayList<>();

    private void walk(Descriptor type) {
        if (type.getFullName().startsWith("google.protobuf.") || reached.put(type.getFullName(), type) != null) {
            return;
        }
        Set<String> names = Subset.UNDERSTOOD.get(type.getFullName());
        if (names == null) {
            missing.add(type.getFullName() + " is not listed");
            return;
        }
        for (String name : names) {
            FieldDescriptor field = type.findFieldByName(name);
            if (field == null) {
                missing.add(type.getFullName() + " has no " + name);
                continue;
            }
            FieldDescriptor value = field.isMapField() ? field.getMessageType().findFieldByNumber(2) : field;
            if (value.getJavaType() == JavaType.MESSAGE) {
                walk(value.getMessageType());
            }
        }
    }

    private void walkAll() {
        Stream.concat(
                        Stream.of(
                                Listener.getDescriptor(),
                                RouteConfiguration.getDescriptor(),
                                Cluster.getDescriptor(),
                                ClusterLoadAssignment.getDescriptor(),
                                Secret.getDescriptor()),
                        KnownTypes.BY_NAME.values().stream().map(Message::getDescriptorForType))
                .forEach(this::walk);
    }

    /** A field that is written wrongly here would be refused for ever, and a message that nothing leads to is a mistake. */
    @Test
    void everythingThatIsListedIsThereAndEverythingThatIsReachedIsListed() {
        walkAll();
        assertThat(missing).isEmpty();
        assertThat(reached.keySet()).containsExactlyInAnyOrderElementsOf(Subset.UNDERSTOOD.keySet());
    }

    /** What a newer release says and this one does not know may be the one thing that matters. */
    @Test
    void aFieldThatNobodyKnowsIsRefusedInEveryMessage() {
        walkAll();
        UnknownFieldSet newer = UnknownFieldSet.newBuilder()
                .addField(
                        UNHEARD_OF,
                        UnknownFieldSet.Field.newBuilder().addVarint(1).build())
                .build();
        reached.forEach((name, type) -> assertThat(Subset.violations(
                        DynamicMessage.newBuilder(type).setUnknownFields(newer).build()))
                .extracting(Violation::message)
                .contains("field number " + UNHEARD_OF + " of " + name + " is not understood"));
    }

    @Test
    void aWordThatNobodyKnowsIsRefused() {
        Cluster cluster =
                Cluster.newBuilder().setName("a").setLbPolicyValue(UNHEARD_OF).build();
        assertThat(Subset.violations(cluster))
                .containsExactly(new Violation(
                        "lb_policy",
                        UNHEARD_OF + " (expected: a value of envoy.config.cluster.v3.Cluster.LbPolicy that is"
                                + " understood)"));
    }
}
