package io.parley.proxy.config.xds.http;

import io.envoyproxy.envoy.config.core.v3.CidrRange;
import io.envoyproxy.envoy.config.rbac.v3.Permission;
import io.envoyproxy.envoy.config.rbac.v3.Principal;
import io.envoyproxy.envoy.config.rbac.v3.RBAC;
import io.netty.util.NetUtil;
import io.parley.proxy.http.AccessRules;
import io.parley.proxy.http.AccessRules.AccessPolicy;
import io.parley.proxy.http.AccessRules.Condition;
import io.parley.proxy.http.AccessRules.Condition.Whose;
import io.parley.proxy.http.AccessRules.Effect;
import io.parley.proxy.http.AccessRules.Mode;
import io.parley.proxy.http.TextMatch;
import java.util.ArrayList;
import java.util.List;

/** Reads who may do what. What is not understood never lets anybody through: it is a problem, and the resource is refused. */
final class AccessReader {
    private static final Condition NEVER = new Condition.Not(new Condition.Any());

    private AccessReader() {}

    static AccessRules read(RBAC rules, Mode mode, Problems problems) {
        Effect effect = switch (rules.getAction()) {
            case ALLOW -> Effect.ALLOW;
            case DENY -> Effect.DENY;
            case LOG, UNRECOGNIZED -> {
                problems.add("action", rules.getAction() + " (expected: ALLOW or DENY)");
                yield Effect.DENY;
            }
        };
        List<AccessPolicy> policies = new ArrayList<>();
        rules.getPoliciesMap().forEach((name, policy) -> {
            Problems here = problems.under("policies[" + name + "]");
            policies.add(new AccessPolicy(
                    name,
                    policy.getPrincipalsList().stream()
                            .map(one -> principal(one, here.under("principals")))
                            .toList(),
                    policy.getPermissionsList().stream()
                            .map(one -> permission(one, here.under("permissions")))
                            .toList()));
        });
        return new AccessRules(effect, policies, mode);
    }

    private static Condition permission(Permission permission, Problems problems) {
        return switch (permission.getRuleCase()) {
            case ANY -> permission.getAny() ? new Condition.Any() : NEVER;
            case AND_RULES ->
                new Condition.And(permission.getAndRules().getRulesList().stream()
                        .map(one -> permission(one, problems))
                        .toList());
            case OR_RULES ->
                new Condition.Or(permission.getOrRules().getRulesList().stream()
                        .map(one -> permission(one, problems))
                        .toList());
            case NOT_RULE -> new Condition.Not(permission(permission.getNotRule(), problems));
            case HEADER -> new Condition.Field(Matchers.header(permission.getHeader(), problems.under("header")));
            case URL_PATH ->
                new Condition.Path(Matchers.text(permission.getUrlPath().getPath(), problems.under("url_path.path")));
            case DESTINATION_PORT -> new Condition.Port(permission.getDestinationPort());
            default -> {
                problems.add("", permission.getRuleCase() + " (expected: any, and, or, not, header, path or port)");
                yield NEVER;
            }
        };
    }

    @SuppressWarnings("deprecation") // source_ip is what many write.
    private static Condition principal(Principal principal, Problems problems) {
        return switch (principal.getIdentifierCase()) {
            case ANY -> principal.getAny() ? new Condition.Any() : NEVER;
            case AND_IDS ->
                new Condition.And(principal.getAndIds().getIdsList().stream()
                        .map(one -> principal(one, problems))
                        .toList());
            case OR_IDS ->
                new Condition.Or(principal.getOrIds().getIdsList().stream()
                        .map(one -> principal(one, problems))
                        .toList());
            case NOT_ID -> new Condition.Not(principal(principal.getNotId(), problems));
            case AUTHENTICATED ->
                new Condition.Identity(
                        principal.getAuthenticated().hasPrincipalName()
                                ? Matchers.text(
                                        principal.getAuthenticated().getPrincipalName(),
                                        problems.under("authenticated.principal_name"))
                                : new TextMatch.Present());
            case SOURCE_IP -> address(Whose.PEERS, principal.getSourceIp(), problems);
            case DIRECT_REMOTE_IP -> address(Whose.PEERS, principal.getDirectRemoteIp(), problems);
            case REMOTE_IP -> address(Whose.CLIENTS, principal.getRemoteIp(), problems);
            case HEADER -> new Condition.Field(Matchers.header(principal.getHeader(), problems.under("header")));
            case URL_PATH ->
                new Condition.Path(Matchers.text(principal.getUrlPath().getPath(), problems.under("url_path.path")));
            default -> {
                problems.add(
                        "",
                        principal.getIdentifierCase() + " (expected: any, and, or, not, authenticated, an address)");
                yield NEVER;
            }
        };
    }

    private static Condition address(Whose whose, CidrRange range, Problems problems) {
        byte[] address = NetUtil.createByteArrayFromIpAddressString(range.getAddressPrefix());
        int bits = range.getPrefixLen().getValue();
        if (address == null || bits < 0 || bits > address.length * 8) {
            problems.add("", range.getAddressPrefix() + "/" + bits + " (expected: a range of addresses)");
            return NEVER;
        }
        List<Byte> bytes = new ArrayList<>();
        for (byte b : address) {
            bytes.add(b);
        }
        return new Condition.Address(whose, bytes, bits);
    }
}
