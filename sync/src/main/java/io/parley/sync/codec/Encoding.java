package io.parley.sync.codec;

import io.parley.agreement.sync.Feature;
import io.parley.agreement.sync.Features;

/** How resources look to a peer. Peers with the same features share encoded resources. */
public record Encoding(Names names, Specs specs, Producers producers) {
    /** What a resource is called away from home. */
    public enum Names {
        /** As at home; global puts the zone in front of what it stores. */
        PLAIN,
        /** With a hash of where it comes from. */
        HASHED
    }

    /** How specs of kinds that Kuma has as protobuf messages travel. */
    public enum Specs {
        JSON,
        PROTOBUF
    }

    /** Whether other zones' producer policies are understood. */
    public enum Producers {
        TAKEN,
        WITHHELD
    }

    public static Encoding of(Features peer) {
        return new Encoding(
                peer.has(Feature.HASH_SUFFIX) ? Names.HASHED : Names.PLAIN,
                peer.has(Feature.JSON_SPECS) ? Specs.JSON : Specs.PROTOBUF,
                peer.has(Feature.PRODUCER_POLICY_FLOW) ? Producers.TAKEN : Producers.WITHHELD);
    }
}
