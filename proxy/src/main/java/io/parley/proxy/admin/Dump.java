package io.parley.proxy.admin;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.parley.identity.certificate.SpiffeId;
import io.parley.proxy.AddressText;
import io.parley.proxy.balance.Cluster;
import io.parley.proxy.balance.LiveEndpoint;
import io.parley.proxy.config.Authorization;
import io.parley.proxy.config.GatewayChain;
import io.parley.proxy.config.InboundPort;
import io.parley.proxy.config.ListenerConfig;
import io.parley.proxy.config.OutboundTarget;
import io.parley.proxy.config.ProxyConfig;
import io.parley.proxy.config.Routing;
import io.parley.proxy.config.Timeouts;
import io.parley.proxy.http.HttpDefaults;
import io.parley.proxy.listen.Guidance;
import io.parley.proxy.listen.Proxy;
import io.parley.proxy.tcp.SessionFields;
import java.time.Duration;
import java.util.Locale;
import java.util.stream.Stream;

/** The proxy's state as JSON. What it may show is written out here name by name, so a secret cannot slip in. */
final class Dump {
    private static final int MAX_CONNECTIONS = 1_000;

    private Dump() {}

    static ObjectNode connections(Proxy proxy) {
        ObjectNode page = object();
        page.put("open", proxy.machinery().sessions().count());
        ArrayNode list = page.putArray("connections");
        long now = proxy.machinery().surroundings().ticker().getAsLong();
        proxy.machinery().sessions().list().stream().limit(MAX_CONNECTIONS).forEach(session -> {
            ObjectNode one = list.addObject();
            SessionFields.of(session, now).forEach((name, value) -> {
                if (value instanceof Long number) {
                    one.put(name, number);
                } else {
                    one.put(name, String.valueOf(value));
                }
            });
        });
        return page;
    }

    static ObjectNode config(Proxy proxy, Guidance guidance) {
        ProxyConfig config = proxy.config();
        ObjectNode page = object();
        page.put("version", config.version());
        page.set("told", told(guidance));
        proxy.machinery().tls().identity().ifPresent(identity -> page.put("identity", identity.toString()));
        proxy.machinery().tls().expires().ifPresent(expires -> page.put("certificateExpires", expires.toString()));
        page.set("timeouts", timeouts(config.timeouts()));
        page.set("http", http(config.http()));
        ArrayNode listeners = page.putArray("listeners");
        config.listeners().forEach(listener -> listeners.add(listener(listener)));
        ArrayNode missing = page.putArray("missingListeners");
        proxy.missing()
                .forEach(one -> missing.addObject()
                        .put("name", one.listener())
                        .put("address", AddressText.of(one.address()))
                        .put("because", one.message()));
        ArrayNode clusters = page.putArray("clusters");
        long now = proxy.machinery().surroundings().ticker().getAsLong();
        proxy.machinery().clusters().all().forEach(cluster -> clusters.add(cluster(cluster, now)));
        ArrayNode complaints = page.putArray("complaints");
        proxy.machinery()
                .telemetry()
                .http()
                .complaints()
                .all()
                .forEach(complaint -> complaints
                        .addObject()
                        .put("cluster", complaint.cluster())
                        .put("rule", complaint.rule())
                        .put("text", complaint.text())
                        .put("count", complaint.count()));
        ObjectNode learned = page.putObject("serversThatSpeakFirst");
        proxy.machinery().silence().report().forEach(learned::put);
        return page;
    }

    private static ObjectNode told(Guidance guidance) {
        ObjectNode out = object().put("by", guidance.by());
        if (guidance.lost() != null) {
            out.put("lost", guidance.lost());
        }
        return guidance.refused().isEmpty() ? out : out.put("refused", guidance.refused());
    }

    /** As the static file has them. */
    private static ObjectNode timeouts(Timeouts timeouts) {
        Duration grace = timeouts.serverFirstGrace();
        ObjectNode out = object().put("listenToSilentServers", grace != null);
        if (grace != null) {
            out.put("serverFirstGrace", text(grace));
        }
        return out.put("detect", text(timeouts.detect()))
                .put("partial", text(timeouts.partial()))
                .put("header", text(timeouts.header()))
                .put("handshake", text(timeouts.handshake()))
                .put("connect", text(timeouts.connect()))
                .put("idle", text(timeouts.idle()))
                .put("drain", text(timeouts.drain()));
    }

    /** As the static file has it, for what has no routes. */
    private static ObjectNode http(HttpDefaults http) {
        Duration answer = http.answer();
        return object().put("maxBody", http.limits().body())
                .put("headTimeout", text(http.timeouts().head()))
                .put("requestTimeout", text(http.timeouts().request()))
                .put("streamIdle", text(http.timeouts().streamIdle()))
                .put("idle", text(http.timeouts().idle()))
                .put("timeout", text(answer == null ? Duration.ZERO : answer));
    }

    private static String text(Duration duration) {
        return duration.toMillisPart() == 0 ? duration.toSeconds() + "s" : duration.toMillis() + "ms";
    }

    private static ObjectNode listener(ListenerConfig listener) {
        ObjectNode out = object();
        out.put("name", listener.name());
        out.put("direction", listener.direction().toString());
        out.put("address", AddressText.of(listener.address()));
        out.put("destinations", listener.destinations().name());
        switch (listener.routing()) {
            case Routing.Fixed(var target) -> out.set("target", target(target));
            case Routing.ByDestination(var targets, var unknown) -> {
                ObjectNode all = out.putObject("targets");
                targets.forEach((address, target) -> all.set(AddressText.of(address), target(target)));
                out.put("unknown", unknown.name());
            }
            case Routing.Gateway(var chains) -> {
                ObjectNode all = out.putObject("chains");
                chains.forEach(chain -> all.set(chain.name(), chain(chain)));
            }
            case Routing.Datagrams(var clusters, var idle) ->
                out.put("clusters", clusters.toString()).put("idle", idle.toString());
            case Routing.ToPort(var port, var application) -> {
                out.put("application", AddressText.of(application));
                out.set("port", port(port));
            }
            case Routing.ToApplication here -> {
                ObjectNode ports = out.putObject("ports");
                here.ports().forEach((number, port) -> ports.set(String.valueOf(number), port(port)));
                out.put("opaquePorts", here.opaquePorts().toString());
                out.set("others", port(here.others()));
                out.put("gatewayDomains", String.join(",", here.gatewayDomains()));
            }
        }
        return out;
    }

    /** What a chain shows and believes stays out: there are keys in it. */
    private static ObjectNode chain(GatewayChain chain) {
        ObjectNode out = object().put("serverNames", String.join(",", chain.serverNames()))
                .put("tls", chain.tls() == null ? "none" : "ended here");
        switch (chain.goal()) {
            case GatewayChain.Goal.Requests(var http) ->
                out.put("routes", http.routes().name());
            case GatewayChain.Goal.Bytes(var clusters, var _) -> out.put("clusters", clusters.toString());
        }
        return out;
    }

    private static ObjectNode target(OutboundTarget target) {
        return object().put("name", target.name())
                .put("declared", target.declared().toString())
                .put("cluster", target.cluster());
    }

    private static ObjectNode port(InboundPort port) {
        ObjectNode out = object().put("declared", port.declared().toString());
        Authorization authorization = port.authorization();
        out.put("strangers", authorization.strangers().name().toLowerCase(Locale.ROOT));
        out.set("allowed", peers(authorization.allowed()));
        out.set("denied", peers(authorization.denied()));
        return out;
    }

    private static ObjectNode peers(Authorization.Peers peers) {
        ObjectNode out = object();
        list(out, "identities", peers.identities().stream().map(SpiffeId::toString));
        list(out, "trustDomains", peers.trustDomains().stream());
        list(out, "beginnings", peers.beginnings().stream());
        return out;
    }

    private static void list(ObjectNode to, String name, Stream<String> texts) {
        ArrayNode list = to.putArray(name);
        texts.sorted().forEach(list::add);
    }

    private static ObjectNode cluster(Cluster cluster, long now) {
        ObjectNode out = object().put("name", cluster.name()).put("open", cluster.open());
        ArrayNode endpoints = out.putArray("endpoints");
        for (LiveEndpoint endpoint : cluster.endpoints()) {
            ObjectNode one = endpoints.addObject();
            one.put("address", AddressText.of(endpoint.endpoint().address()));
            one.put("dialled", endpoint.toString());
            var mesh = endpoint.endpoint().mesh();
            if (mesh != null) {
                one.put("identity", mesh.identity().toString());
            }
            one.put("open", endpoint.open());
            one.put("healthy", endpoint.isHealthy());
            one.put("ejected", endpoint.isEjected(now));
        }
        return out;
    }

    private static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }
}
