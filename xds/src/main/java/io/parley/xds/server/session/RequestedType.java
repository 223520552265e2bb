package io.parley.xds.server.session;

import io.parley.xds.type.ApiVersion;
import io.parley.xds.type.ResourceType;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A type as a client asked for it: it is answered under the very URL that it used, whatever the version of the transport.
 *
 * @param asked the URL in the request
 * @param canonical the URL under which resources are kept
 * @param api how the resources are to be named
 */
record RequestedType(String asked, String canonical, ApiVersion api, TypeRules rules) {
    /** Each known type once, so that thousands of streams find it in the processor's caches. Types that clients invent are not kept. */
    private static final Map<RequestedType, RequestedType> KNOWN = new ConcurrentHashMap<>();

    static RequestedType of(String url, TypePolicy policy) {
        ResourceType known = ResourceType.find(url).orElse(null);
        if (known == null) {
            return new RequestedType(url, url, ApiVersion.V3, policy.rulesOf(url));
        }
        String canonical = known.url(ApiVersion.V3);
        ApiVersion api = canonical.equals(url) ? ApiVersion.V3 : ApiVersion.V2;
        RequestedType type = new RequestedType(known.url(api), canonical, api, policy.rulesOf(canonical));
        return KNOWN.computeIfAbsent(type, each -> each);
    }
}
