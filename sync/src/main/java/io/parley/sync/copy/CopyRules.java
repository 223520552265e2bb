package io.parley.sync.copy;

import io.parley.resource.Resource;
import io.parley.resource.ResourceKey;
import io.parley.resource.Result;
import io.parley.resource.kind.Kind;
import io.parley.sync.codec.WireName;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How copies of one peer's resources are kept: under which names, with which labels, and what happens if a name is taken. */
public interface CopyRules {
    /** Labels that mark a copy of this peer's. */
    Map<String, String> marks();

    /** The peer's name for a copy that we have; nothing for what is no copy of this peer's. */
    Optional<WireName> nameOf(Resource copy);

    /** The copy that is kept of what the peer sent, under its name here. */
    Result<Resource> adopt(Kind kind, Resource sent);

    /** What to do about a resource that has the name and is not a copy of this peer's. */
    Clash clash(Kind kind, Resource present);

    /** The same copy under the name that it gets if its own is taken. */
    Resource elsewhere(Resource copy);

    /** Whose deletion takes the copies along, if anybody's. */
    @Nullable
    ResourceKey owner();

    /** Whose status counts. */
    StatusOf status();

    /** What happens if a name is taken. */
    enum Clash {
        /** The peer's replaces it. */
        REPLACE,
        /** Both stay, the copy under another name. */
        KEEP_BOTH,
        /** The copy is refused. */
        REFUSE
    }

    /** Who says what was found out about a resource. */
    enum StatusOf {
        PEER,
        HERE
    }
}
