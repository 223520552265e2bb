package io.parley.control.policy.accesslog;

import io.parley.control.draft.InboundDraft;
import io.parley.control.draft.OutboundDraft;
import io.parley.control.draft.PolicyEffect;
import io.parley.control.draft.ProxyDraft;
import io.parley.control.policy.Matched;
import io.parley.control.policy.PolicyKind;
import io.parley.resource.policy.accesslog.AccessLog;
import io.parley.resource.policy.accesslog.MeshAccessLog;

/** Logs what is sent and what is received. */
public final class AccessLogEffect implements PolicyEffect<AccessLog> {
    public static final PolicyKind<AccessLog> KIND = PolicyKind.traffic("MeshAccessLog", MeshAccessLog.READER);

    @Override
    public PolicyKind<AccessLog> kind() {
        return KIND;
    }

    @Override
    public void apply(Matched<AccessLog> matched, ProxyDraft draft) {
        String self = draft.dataplane().services().stream().findFirst().orElse("");
        for (OutboundDraft outbound : draft.outbounds()) {
            Traffic traffic =
                    new Traffic("OUTBOUND", self, outbound.destination().service());
            matched.to(outbound.destination()).conf().ifPresent(log -> {
                Loggers loggers = new Loggers(draft, traffic);
                outbound.tcp().addAllAccessLog(loggers.of(log, Loggers.Entry.CONNECTION));
                outbound.http().addAllAccessLog(loggers.of(log, Loggers.Entry.REQUEST));
            });
        }
        for (InboundDraft inbound : draft.inbounds()) {
            Traffic traffic = new Traffic("INBOUND", "%DOWNSTREAM_PEER_URI_SAN%", inbound.service());
            matched.inbound(inbound.inbound()).conf().ifPresent(log -> {
                Loggers loggers = new Loggers(draft, traffic);
                inbound.tcp().addAllAccessLog(loggers.of(log, Loggers.Entry.CONNECTION));
                inbound.http().addAllAccessLog(loggers.of(log, Loggers.Entry.REQUEST));
            });
        }
    }

    /** What placeholders of the mesh stand for. */
    record Traffic(String direction, String source, String destination) {}
}
