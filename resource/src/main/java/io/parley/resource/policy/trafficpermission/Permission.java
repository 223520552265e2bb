package io.parley.resource.policy.trafficpermission;

import io.parley.resource.policy.CallerMatch;
import io.parley.resource.read.Choices;
import io.parley.resource.read.Fields;
import java.util.List;

/** What a MeshTrafficPermission says about callers. */
public sealed interface Permission {
    /** What happens to a call. */
    enum Action {
        ALLOW,
        DENY,
        /** Lets it through and notes that it would have been refused. */
        ALLOW_WITH_SHADOW_DENY
    }

    /** The same for all callers that an item picks. */
    record Overall(Action action) implements Permission {
        static Permission read(Fields fields) {
            return new Overall(fields.at("action").requireChoice(Choices.camelCase(Action.class)));
        }
    }

    /** By caller: who is denied is denied, whatever allows it. */
    record ByCaller(List<CallerMatch> deny, List<CallerMatch> allow, List<CallerMatch> allowWithShadowDeny)
            implements Permission {
        public ByCaller {
            deny = List.copyOf(deny);
            allow = List.copyOf(allow);
            allowWithShadowDeny = List.copyOf(allowWithShadowDeny);
        }

        static Permission read(Fields fields) {
            fields.needAnyOf("deny", "allow", "allowWithShadowDeny");
            return new ByCaller(
                    fields.at("deny").objects(CallerMatch::read),
                    fields.at("allow").objects(CallerMatch::read),
                    fields.at("allowWithShadowDeny").objects(CallerMatch::read));
        }
    }
}
