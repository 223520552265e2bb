package io.parley.agreement.version;

import java.util.List;

/** A service that a data plane wants to use, and the versions of it that it understands, in no meaningful order. */
public record ServiceOffer(String name, List<String> versions) {
    public ServiceOffer {
        versions = List.copyOf(versions);
    }
}
