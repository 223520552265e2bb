package io.parley.control.policy.trafficpermission;

import io.parley.agreement.reason.Decision;
import io.parley.agreement.reason.Source;
import io.parley.control.draft.Callers;
import io.parley.control.model.MeshModel;
import io.parley.control.model.PolicyItem;
import io.parley.resource.policy.CallerMatch;
import io.parley.resource.policy.trafficpermission.Permission;
import io.parley.resource.policy.trafficpermission.Permission.Action;
import java.util.List;
import java.util.Optional;

/** What becomes of one caller, by the rules that {@link AccessList} writes down for all of them. */
public final class Permissions {
    private Permissions() {}

    /**
     * The verdict and its reason.
     *
     * @param items the strongest first
     */
    public static Decision<Action> verdict(List<PolicyItem> items, MeshModel mesh, String caller) {
        return rule(items, caller, Action.DENY)
                .or(() -> overall(items, mesh, caller))
                .or(() -> rule(items, caller, Action.ALLOW_WITH_SHADOW_DENY))
                .or(() -> rule(items, caller, Action.ALLOW))
                .orElseGet(() -> new Decision<>(
                        Action.DENY, "no permission names " + caller, Source.ofRule("what is not allowed is denied")));
    }

    private static Optional<Decision<Action>> overall(List<PolicyItem> items, MeshModel mesh, String caller) {
        for (PolicyItem item : items) {
            if (item.typed() instanceof Permission.Overall(Action action)) {
                Callers.Part part = action == Action.DENY ? Callers.Part.ANY : Callers.Part.ALL;
                if (Callers.of(item, mesh, part).contains(caller)) {
                    return Optional.of(decision(action, item, caller, "the strongest item for a caller decides"));
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<Decision<Action>> rule(List<PolicyItem> items, String caller, Action action) {
        for (PolicyItem item : items) {
            if (item.typed() instanceof Permission.ByCaller rules) {
                List<CallerMatch> matches = switch (action) {
                    case DENY -> rules.deny();
                    case ALLOW -> rules.allow();
                    case ALLOW_WITH_SHADOW_DENY -> rules.allowWithShadowDeny();
                };
                if (matches.stream().anyMatch(match -> fits(match, caller))) {
                    return Optional.of(decision(action, item, caller, "who is denied is denied, whatever allows it"));
                }
            }
        }
        return Optional.empty();
    }

    private static boolean fits(CallerMatch match, String caller) {
        AccessList.Caller meant = AccessList.Caller.of(match);
        return meant.whole() ? meant.id().equals(caller) : caller.startsWith(meant.id());
    }

    private static Decision<Action> decision(Action action, PolicyItem item, String caller, String rule) {
        return new Decision<>(
                action,
                item.policy() + " says so for " + caller,
                new Source(item.policy().toString(), item.path(), rule));
    }
}
