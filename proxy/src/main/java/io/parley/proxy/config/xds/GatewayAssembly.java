package io.parley.proxy.config.xds;

import io.parley.proxy.config.GatewayChain;
import io.parley.proxy.config.Routing;
import io.parley.proxy.config.ServerTls;
import io.parley.proxy.config.xds.ReadGateway.Branch;
import io.parley.proxy.http.HttpConfig;
import io.parley.proxy.http.HttpConfig.Forwarding;
import java.util.List;
import java.util.stream.Collectors;

/** Turns a gateway's listener into where its connections and datagrams go. Throws {@link NotYet} if something is missing. */
final class GatewayAssembly {
    private static final String ANY = "*";

    private final Assembly assembly;
    private final String listener;
    private final Secrets secrets;

    GatewayAssembly(Assembly assembly, String listener, Secrets secrets) {
        this.assembly = assembly;
        this.listener = listener;
        this.secrets = secrets;
    }

    Routing routing(ReadGateway gateway) {
        ReadGateway.Datagrams datagrams = gateway.datagrams();
        return datagrams == null
                ? new Routing.Gateway(gateway.chains().stream().map(this::chain).toList())
                : new Routing.Datagrams(datagrams.clusters(), datagrams.idle());
    }

    private GatewayChain chain(Branch branch) {
        String name = branch.name().isEmpty() ? listener : branch.name();
        return new GatewayChain(
                name,
                branch.serverNames(),
                branch.protocols(),
                branch.tls() == null ? null : tls(branch.tls()),
                switch (branch.goal()) {
                    case ReadGateway.Goal.Bytes(var clusters, var raw) -> new GatewayChain.Goal.Bytes(clusters, raw);
                    case ReadGateway.Goal.Requests(var routes) -> new GatewayChain.Goal.Requests(http(branch, routes));
                });
    }

    /** Called after the names and protocols it is for, which tell it from the others whatever their order: open connections find it by that. */
    private HttpConfig http(Branch branch, Chain.Goal routes) {
        List<String> names = branch.serverNames().stream().sorted().toList();
        String offered = branch.protocols().stream().sorted().collect(Collectors.joining(","));
        String name = listener + " " + (names.isEmpty() ? ANY : String.join(",", names))
                + (offered.isEmpty() ? "" : " by " + offered);
        return switch (routes) {
            case Chain.Goal.ByRoutes(var found, var http) ->
                http.with(name, assembly.routes(found, branch.at()).table(), Forwarding.EDGE);
            case Chain.Goal.Inline(var found, var http) -> http.with(name, found.table(), Forwarding.EDGE);
            case Chain.Goal.ToCluster _ -> throw new IllegalStateException("requests without routes: " + branch.at());
        };
    }

    private ServerTls tls(ReadGateway.Tls read) {
        return new ServerTls(
                read.certificates().stream().map(secrets::credentials).toList(),
                read.protocols(),
                read.clients() == null
                        ? null
                        : new ServerTls.Clients(secrets.authorities(read.clients()), read.demand()));
    }
}
