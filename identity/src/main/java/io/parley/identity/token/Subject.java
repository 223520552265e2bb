package io.parley.identity.token;

import java.util.Set;

/** Who a token speaks for. Each kind of subject has an audience of its own, so that no token serves at another's door. */
public sealed interface Subject {
    String name();

    /** A person or a program that uses the API. */
    record User(String name, Set<String> groups) implements Subject {
        public User {
            requireName("user", name);
            groups = Set.copyOf(groups);
        }
    }

    /**
     * A data-plane proxy of one mesh.
     *
     * @param tenant whose it is, empty where there is only one tenant
     */
    record Dataplane(String mesh, String name, String tenant) implements Subject {
        public Dataplane {
            requireName("mesh", mesh);
            requireName("dataplane", name);
        }
    }

    /**
     * The control plane or a shared proxy of a zone.
     *
     * @param tenant whose zone it is, empty where there is only one tenant
     */
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

    private static void requireName(String what, String name) {
        if (name.isBlank()) {
            throw new IllegalArgumentException(what + ": blank (expected: a name)");
        }
    }
}
