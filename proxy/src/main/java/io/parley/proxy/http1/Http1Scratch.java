package io.parley.proxy.http1;

import io.parley.proxy.http.HttpLimits;

/** Memory in which the heads of all connections of one event loop are read, one at a time. */
public final class Http1Scratch {
    private final RequestHead request;
    private final ResponseHead response = new ResponseHead(HttpLimits.DEFAULT);

    public Http1Scratch(HttpLimits limits) {
        request = new RequestHead(limits);
    }

    RequestHead request() {
        return request;
    }

    ResponseHead response() {
        return response;
    }
}
