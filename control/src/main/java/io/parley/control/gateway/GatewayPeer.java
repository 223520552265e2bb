package io.parley.control.gateway;

import io.parley.link.PeerText;
import io.parley.link.telemetry.NodeReport;
import io.parley.xds.server.snapshot.ResourceSet;
import io.parley.xds.type.ApiVersion;
import io.parley.xds.type.ResourceType;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What one proxy of a gateway said since it joined. Safe to use from any thread. */
final class GatewayPeer {
    private static final String LISTENERS = ResourceType.LISTENER.url(ApiVersion.V3);

    /** A proxy reports every second, unless it has not agreed to report at all. */
    private static final Duration REPORTS_WITHIN = Duration.ofSeconds(5);

    /** How a proxy can tell what it makes of its configuration. */
    enum Voice {
        /** It answers each version of each type, and reports. */
        LINK,
        /** It answers. */
        STREAM
    }

    private final String gateway;
    private final Voice voice;

    /** Types that it wants and has said nothing about. */
    private final Set<String> open = new HashSet<>();

    /** Types of which the last that was told was refused, and why. */
    private final SortedMap<String, String> refused = new TreeMap<>();

    private boolean takesListeners;
    private @Nullable String listeners;
    private Instant answered = Instant.MAX;
    private @Nullable NodeReport report;

    GatewayPeer(String gateway, Voice voice) {
        this.gateway = gateway;
        this.voice = voice;
        this.takesListeners = voice == Voice.LINK;
    }

    String gateway() {
        return gateway;
    }

    synchronized void asked(Collection<String> types) {
        types.stream().map(ResourceType::canonical).forEach(open::add);
        takesListeners |= open.contains(LISTENERS);
    }

    /** Whether it will say what it makes of listeners. */
    synchronized boolean takesListeners() {
        return takesListeners;
    }

    synchronized void applied(String type, String version, Instant now) {
        refused.remove(ResourceType.canonical(type));
        answered(type, version, now);
    }

    synchronized void refused(String type, String version, String reason, Instant now) {
        refused.put(ResourceType.canonical(type), reason.isBlank() ? "without a reason" : PeerText.cut(reason));
        answered(type, version, now);
    }

    /** It no longer wants what it refused, which is no answer to anything. */
    synchronized void givenUp(String type) {
        refused.remove(ResourceType.canonical(type));
    }

    private void answered(String type, String version, Instant now) {
        open.remove(ResourceType.canonical(type));
        answered = now;
        if (ResourceType.canonical(type).equals(LISTENERS)) {
            listeners = version;
        }
    }

    synchronized void report(NodeReport said) {
        report = said;
    }

    /** What it saw last. */
    synchronized List<NodeReport.Made> decisions() {
        return report == null ? List.of() : report.decisions();
    }

    /** What it says of the configuration that it does not take. */
    synchronized Optional<String> refusal() {
        return refused.values().stream().findFirst();
    }

    /**
     * Whether it has yet to say what it makes of these listeners: by its answer whether it takes them, and by the report that
     * follows which of them it could open. Until it has answered for every type, the next answer may be a refusal. Who is to open none
     * need not be told so, and reports nothing of them.
     */
    synchronized boolean isAwaited(ResourceSet wanted, Instant now) {
        String version = wanted.version();
        if (!open.isEmpty() || (listeners != null && !listeners.equals(version))) {
            return true;
        }
        boolean reported = report != null
                && (listeners == null
                        || wanted.size() == 0
                        || version.equals(report.appliedVersions().get(LISTENERS)));
        return voice == Voice.LINK && !reported && now.isBefore(answered.plus(REPORTS_WITHIN));
    }
}
