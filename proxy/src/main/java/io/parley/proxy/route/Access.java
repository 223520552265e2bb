package io.parley.proxy.route;

import io.parley.identity.certificate.SpiffeId;
import io.parley.proxy.http.AccessRules;
import io.parley.proxy.http.AccessRules.AccessPolicy;
import io.parley.proxy.http.AccessRules.Condition;
import io.parley.proxy.http.FieldMatch;
import io.parley.proxy.http.TextMatch;
import io.parley.wire.http.Fields;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decides who may do what. */
public final class Access {
    /**
     * Who asks.
     *
     * @param names all names in the mesh that the client's certificate has; none if it showed no certificate
     * @param port the port that was dialled
     */
    public record Caller(List<SpiffeId> names, Provenance provenance, int port) {
        /** As in Envoy, of whose rules these are a part: one name is enough, to be let in and to be kept out. */
        boolean isCalled(TextMatch name) {
            return names.stream().anyMatch(one -> name.matches(one.toString()));
        }

        InetAddress address(Condition.Whose whose) {
            return switch (whose) {
                case CLIENTS -> provenance.client().getAddress();
                case PEERS -> provenance.peer().getAddress();
            };
        }
    }

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
        boolean refusing = rules.effect() == AccessRules.Effect.DENY;
        boolean matched = rules.policies().stream().anyMatch(policy -> matches(policy, request, caller, refusing));
        return switch (rules.effect()) {
            case ALLOW -> !matched;
            case DENY -> matched;
        };
    }

    private static boolean matches(AccessPolicy policy, RequestView request, Caller caller, boolean refusing) {
        return policy.principals().stream().anyMatch(condition -> holds(condition, request, caller, refusing))
                && policy.permissions().stream().anyMatch(condition -> holds(condition, request, caller, refusing));
    }

    /** In doubt a condition holds if it would refuse the request then, and does not if it would let it pass. */
    private static boolean holds(Condition condition, RequestView request, Caller caller, boolean refusing) {
        return switch (condition) {
            case Condition.Any() -> true;
            case Condition.And(var all) -> all.stream().allMatch(one -> holds(one, request, caller, refusing));
            case Condition.Or(var any) -> any.stream().anyMatch(one -> holds(one, request, caller, refusing));
            case Condition.Not(var one) -> !holds(one, request, caller, !refusing);
            case Condition.Identity(var name) -> caller.isCalled(name);
            case Condition.Field(var field) -> isFulfilled(field, request, refusing);
            case Condition.Path(var path) -> path.matches(request.path());
            case Condition.Port(var port) -> port == caller.port();
            case Condition.Address(var whose, var address, var bits) ->
                isIn(caller.address(whose).getAddress(), address, bits);
        };
    }

    private static boolean isFulfilled(FieldMatch field, RequestView request, boolean refusing) {
        boolean wide = refusing == (field.sense() == FieldMatch.Sense.IS);
        String value = request.named(field.name());
        boolean matched = value != null && (field.match().matches(value) || isOtherwise(field, value, wide));
        return switch (field.sense()) {
            case IS -> matched;
            case IS_NOT -> !matched;
            case IS_OTHER -> value == null ? refusing : !matched;
        };
    }

    /** A name of a host in capitals or with a trailing dot is the same host, and one of a list of values counts as much as the list (CVE-2020-25017). */
    private static boolean isOtherwise(FieldMatch field, String value, boolean wide) {
        if (field.name().equals(":authority") || field.name().equals("host")) {
            String host = HostName.of(value);
            return isHost(field.match(), host) || (wide && isHost(field.match(), HostName.withoutPort(host)));
        }
        String between = Fields.separator(field.name()).strip();
        if (!wide || field.name().startsWith(":") || !value.contains(between)) {
            return false;
        }
        return Arrays.stream(value.split(between, -1))
                .anyMatch(one -> field.match().matches(one.strip()));
    }

    private static boolean isHost(TextMatch match, String host) {
        return match.matches(host)
                || (match instanceof TextMatch.Exact(var exact)
                        && HostName.of(exact).equals(host));
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
