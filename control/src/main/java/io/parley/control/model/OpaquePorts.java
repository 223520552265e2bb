package io.parley.control.model;

import io.parley.agreement.port.PortList;
import io.parley.agreement.port.PortSet;
import io.parley.agreement.reason.Decision;
import io.parley.agreement.reason.Source;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Which ports are declared to carry bytes that nobody shall look into, and on whose word. */
final class OpaquePorts {
    /** The design document's annotation and the one that shipped, one grammar for both. */
    private static final List<String> ANNOTATIONS =
            List.of("config.linkerd.io/opaque-ports", "config.linkerd.io/proxy-opaque-tcp");

    /** Well-known protocols whose server speaks first, or that are not HTTP. */
    private static final PortSet USUALLY =
            PortList.parse("25,587,3306,4444,5432,6379,9300,11211").ports();

    private static final String RULE = "opaque ports";

    private OpaquePorts() {}

    /** What was declared on this resource; an annotation without the port says that it is not opaque. */
    static Optional<Decision<Boolean>> declared(
            String resource, Map<String, String> annotations, Map<String, PortSet> named, int... ports) {
        PortSet opaque = PortSet.EMPTY;
        String found = null;
        for (String annotation : ANNOTATIONS) {
            String text = annotations.get(annotation);
            if (text != null) {
                opaque = opaque.or(PortList.parse(text, named).ports());
                found = found == null ? annotation : found;
            }
        }
        if (found == null) {
            return Optional.empty();
        }
        Source source = new Source(resource, "metadata.annotations[\"" + found + "\"]", RULE);
        for (int port : ports) {
            if (opaque.contains(port)) {
                return Optional.of(new Decision<>(
                        true, "port " + port + " is declared opaque by annotation on " + resource, source));
            }
        }
        return Optional.of(new Decision<>(false, "the annotation on " + resource + " does not name the port", source));
    }

    /** What holds where nobody declared anything. */
    static Optional<Decision<Protocol>> usual(int... ports) {
        for (int port : ports) {
            if (USUALLY.contains(port)) {
                return Optional.of(new Decision<>(
                        Protocol.OPAQUE,
                        "port " + port + " is on the default list of opaque ports",
                        Source.ofRule("opaque ports: default list")));
            }
        }
        return Optional.empty();
    }

    static Decision<Protocol> detected(String resource) {
        return new Decision<>(
                Protocol.DETECT, "nothing declares what " + resource + " takes", Source.ofRule("detect by default"));
    }
}
