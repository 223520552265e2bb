package io.parley.control.draft;

import static io.parley.control.draft.Protos.any;

import com.google.protobuf.Message;
import io.envoyproxy.envoy.config.listener.v3.Filter;
import io.envoyproxy.envoy.extensions.filters.http.router.v3.Router;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpFilter;

/** Filters by the names that Envoy knows them by. */
public final class Filters {
    public static final String RBAC = "envoy.filters.network.rbac";
    public static final String TCP_RATE_LIMIT = "envoy.filters.network.local_ratelimit";
    public static final String TCP_PROXY = "envoy.filters.network.tcp_proxy";
    public static final String HTTP = "envoy.filters.network.http_connection_manager";
    public static final String HTTP_RBAC = "envoy.filters.http.rbac";
    public static final String FAULT = "envoy.filters.http.fault";
    public static final String HTTP_RATE_LIMIT = "envoy.filters.http.local_ratelimit";

    private Filters() {}

    public static Filter network(String name, Message conf) {
        return Filter.newBuilder().setName(name).setTypedConfig(any(conf)).build();
    }

    public static HttpFilter http(String name, Message conf) {
        return HttpFilter.newBuilder().setName(name).setTypedConfig(any(conf)).build();
    }

    /** The last of them: forwards. */
    public static HttpFilter router() {
        return http("envoy.filters.http.router", Router.getDefaultInstance());
    }
}
