package io.parley.proxy.admin;

import io.netty.handler.codec.http.HttpResponseStatus;

/** An answer of the admin page. */
record Answer(HttpResponseStatus status, String type, String body) {
    static Answer text(HttpResponseStatus status, String body) {
        return new Answer(status, "text/plain; charset=utf-8", body + "\n");
    }

    static Answer json(String body) {
        return new Answer(HttpResponseStatus.OK, "application/json", body + "\n");
    }

    static Answer metrics(String body) {
        return new Answer(HttpResponseStatus.OK, "text/plain; version=0.0.4; charset=utf-8", body);
    }
}
