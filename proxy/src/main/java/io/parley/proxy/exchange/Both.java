package io.parley.proxy.exchange;

import io.parley.proxy.config.Endpoint;
import io.parley.proxy.pool.Answer;
import io.parley.proxy.route.RequestView;
import io.parley.wire.http.Fields;

/** Two who want to know the same. */
record Both(Account first, Account second) implements Account {
    @Override
    public void began(RequestView request) {
        first.began(request);
        second.began(request);
    }

    @Override
    public boolean changesHead() {
        return first.changesHead() || second.changesHead();
    }

    @Override
    public void change(Fields head) {
        first.change(head);
        second.change(head);
    }

    @Override
    public void went(String cluster, Endpoint endpoint) {
        first.went(cluster, endpoint);
        second.went(cluster, endpoint);
    }

    @Override
    public boolean countsContent() {
        return first.countsContent() || second.countsContent();
    }

    @Override
    public void answered(Answer answer) {
        first.answered(answer);
        second.answered(answer);
    }

    @Override
    public void failed(String cause) {
        first.failed(cause);
        second.failed(cause);
    }

    @Override
    public void grpc(int code) {
        first.grpc(code);
        second.grpc(code);
    }

    @Override
    public void ended(String route, int status, long nanos, long received, long sent) {
        first.ended(route, status, nanos, received, sent);
        second.ended(route, status, nanos, received, sent);
    }
}
