package io.parley.identity.token;

import java.util.Set;

/** Who a token speaks for. Each kind of subject has an audience of its own, so that no token serves at another's door. */
public sealed interface Subject {
    String name();

    /** Whose it is; empty where there is only one tenant, and for those who operate a control plane of several. */
    default String tenant() {
        return "";
    }

    /** A person or a program that uses the API. */
    record User(String name, Set<String> groups, String tenant) implements Subject {
        public User {
            requireName("user", name);
            groups = Set.copyOf(groups);
        }
    }

    /** A data-plane proxy of one mesh. */
    record Dataplane(String mesh, String name, String tenant) implements Subject {
        public Dataplane {
            requireName("mesh", mesh);
            requireName("dataplane", name);
        }
    }

    /**
     * Any data-plane proxy of one service of a mesh: whichever name it has, as long as there is a Dataplane of that name that is of this
     * service and of no other. For workloads of which nobody knows the names beforehand.
     */
    record Service(String mesh, String name, String tenant) implements Subject {
        public Service {
            requireName("mesh", mesh);
            requireName("service", name);
        }
    }

    /** The control plane of a zone. */
    record Zone(String name, String tenant) implements Subject {
        public Zone {
            requireName("zone", name);
        }
    }

    /** The proxy of one Gateway: it gets the keys that the Gateway's listeners show, so no other token will do. */
    record Gateway(String namespace, String name) implements Subject {
        public Gateway {
            requireName("namespace", namespace);
            requireName("gateway", name);
        }
    }

    /** The ingress or egress of a zone, by the name of its resource. */
    record ZoneProxy(String name) implements Subject {
        public ZoneProxy {
            requireName("zone proxy", name);
        }
    }

    private static void requireName(String what, String name) {
        if (name.isBlank()) {
            throw new IllegalArgumentException(what + ": blank (expected: a name)");
        }
    }
}
