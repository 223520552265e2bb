package io.parley.proxy.route;

import io.parley.proxy.http.AccessRules;
import io.parley.proxy.http.AccessRules.AccessPolicy;
import io.parley.proxy.http.AccessRules.Condition;
import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decides who may do what. */
public final class Access {
    /**
     * Who asks.
     *
     * @param identity the client's name in the mesh; null if it showed none
     * @param port the port that was dialled
     */
    public record Caller(@Nullable String identity, InetAddress address, int port) {}

    private Access() {}

    /** The first rules that forbid the request; null if it may pass. Rules in shadow mode forbid nothing. */
    public static @Nullable AccessRules forbidding(List<AccessRules> rules, RequestView request, Caller caller) {
        for (AccessRules one : rules) {
            if (one.mode() == AccessRules.Mode.ENFORCED && forbids(one, request, caller)) {
                return one;
            }
        }
        return null;
    }

    /** Whether these rules, enforced or not, speak against the request. */
    public static boolean forbids(AccessRules rules, RequestView request, Caller caller) {
        boolean matched = rules.policies().stream().anyMatch(policy -> matches(policy, request, caller));
        return switch (rules.effect()) {
            case ALLOW -> !matched;
            case DENY -> matched;
        };
    }

    private static boolean matches(AccessPolicy policy, RequestView request, Caller caller) {
        return policy.principals().stream().anyMatch(condition -> holds(condition, request, caller))
                && policy.permissions().stream().anyMatch(condition -> holds(condition, request, caller));
    }

    static boolean holds(Condition condition, RequestView request, Caller caller) {
        return switch (condition) {
            case Condition.Any() -> true;
            case Condition.And(var all) -> all.stream().allMatch(one -> holds(one, request, caller));
            case Condition.Or(var any) -> any.stream().anyMatch(one -> holds(one, request, caller));
            case Condition.Not(var one) -> !holds(one, request, caller);
            case Condition.Identity(var name) -> caller.identity() != null && name.matches(caller.identity());
            case Condition.Field(var field) -> field.isFulfilledBy(Views.field(request, field.name()));
            case Condition.Path(var path) -> path.matches(request.path());
            case Condition.Port(var port) -> port == caller.port();
            case Condition.Address(var address, var bits) ->
                isIn(caller.address().getAddress(), address, bits);
        };
    }

    private static boolean isIn(byte[] address, List<Byte> network, int bits) {
        if (address.length != network.size()) {
            return false;
        }
        for (int i = 0; i < bits; i++) {
            int mask = 0x80 >> (i % 8);
            if ((address[i / 8] & mask) != (network.get(i / 8) & mask)) {
                return false;
            }
        }
        return true;
    }
}
