package io.parley.proxy.http;

import java.util.List;

/**
 * Who may do what.
 *
 * @param effect of a policy that matches
 * @param policies with names for the log
 * @param mode whether the verdict holds or is only counted
 */
public record AccessRules(Effect effect, List<AccessPolicy> policies, Mode mode) {
    /** What a match means. */
    public enum Effect {
        /** Only what matches may pass. */
        ALLOW,

        /** What matches may not pass. */
        DENY
    }

    /** Whether the verdict counts. */
    public enum Mode {
        ENFORCED,
        SHADOW
    }

    public AccessRules {
        policies = List.copyOf(policies);
    }

    /** One of the principals, and one of the permissions. */
    public record AccessPolicy(String name, List<Condition> principals, List<Condition> permissions) {
        public AccessPolicy {
            principals = List.copyOf(principals);
            permissions = List.copyOf(permissions);
        }
    }

    /** Something that holds for a request or does not. */
    public sealed interface Condition {
        /** Always. */
        record Any() implements Condition {}

        /** All of these. */
        record And(List<Condition> all) implements Condition {
            public And {
                all = List.copyOf(all);
            }
        }

        /** One of these. */
        record Or(List<Condition> any) implements Condition {
            public Or {
                any = List.copyOf(any);
            }
        }

        /** The opposite. */
        record Not(Condition condition) implements Condition {}

        /** One of the client's names in the mesh; a client without any never matches. */
        record Identity(TextMatch name) implements Condition {}

        /** A header field, or {@code :method}, {@code :path}, {@code :authority}. */
        record Field(FieldMatch field) implements Condition {}

        /** The path without the query. */
        record Path(TextMatch path) implements Condition {}

        /** The port that was dialled. */
        record Port(int port) implements Condition {}

        /** Whose address it is. */
        enum Whose {
            /** Of who sent the request, as far as it is known. */
            CLIENTS,

            /** Of the other end of the connection. */
            PEERS
        }

        /**
         * Where a request comes from.
         *
         * @param address 4 or 16 bytes
         * @param bits how many of them count
         */
        record Address(Whose whose, List<Byte> address, int bits) implements Condition {
            public Address {
                address = List.copyOf(address);
            }
        }
    }
}
