package io.parley.agreement.sync;

/** Something that a peer can do beyond what every peer can. It is asked for by name, never derived from a version. */
public enum Feature {
    /** The zone calls HealthCheck, so that its silence means something. */
    ZONE_PING_HEALTH("zone-ping-health"),
    /** Names end in a hash of where they come from rather than start with the zone. */
    HASH_SUFFIX("hash-suffix"),
    /** Understands selectors by which a HostnameGenerator takes services of several zones. */
    MULTI_ZONE_SELECTOR("hg-mz-selector"),
    /** Takes policies that another zone made for the users of its services. */
    PRODUCER_POLICY_FLOW("producer-policy-flow"),
    /** The first state may come in pieces; the last one bears a system version, those before it none. */
    CHUNKED_STATE("parley-chunked-state"),
    /** A new stream begins with the versions that the reader has, and only what differs is sent. */
    RESUME("parley-resume"),
    /** Operational and informational kinds travel on streams of their own. */
    PRIORITY_STREAMS("parley-priority-streams"),
    /** All specs travel as JSON, so that fields that one side does not know survive. */
    JSON_SPECS("parley-json-specs");

    private final String text;

    Feature(String text) {
        this.text = text;
    }

    /** As peers announce it. */
    public String text() {
        return text;
    }
}
