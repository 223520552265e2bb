package io.parley.agreement.sync;

/** Labels that say where a resource comes from and where it may go, as Kuma spells them. */
public final class SyncLabels {
    /** {@code global} or {@code zone}: which side made it. */
    public static final String ORIGIN = "kuma.io/origin";

    public static final String ORIGIN_GLOBAL = "global";
    public static final String ORIGIN_ZONE = "zone";

    /** The zone that made it. */
    public static final String ZONE = "kuma.io/zone";

    /** Its name where it was made. */
    public static final String DISPLAY_NAME = "kuma.io/display-name";

    /** {@value #DISABLED} keeps a resource where it is. */
    public static final String SYNC = "kuma.io/kds-sync";

    public static final String DISABLED = "disabled";

    /** For whom a policy was made: {@value #PRODUCER} policies go to other zones too. */
    public static final String POLICY_ROLE = "kuma.io/policy-role";

    public static final String PRODUCER = "producer";

    public static final String NAMESPACE = "k8s.kuma.io/namespace";

    private SyncLabels() {}
}
