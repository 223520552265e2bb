package io.parley.control.admission;

import io.parley.resource.ResourceKey;
import io.parley.resource.Violation;

/** Why a resource is not stored or deleted although it is well formed. */
public sealed interface Refusal {
    ResourceKey key();

    /** It refers to something that is not there. */
    record Invalid(ResourceKey key, Violation violation) implements Refusal {}

    /** People do not write this. */
    record ReadOnly(ResourceKey key, String reason) implements Refusal {}

    /** Something else still needs it. */
    record InUse(ResourceKey key, String reason) implements Refusal {}
}
