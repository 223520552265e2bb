package io.parley.control.keys;

import io.parley.identity.certificate.CertificateAuthority;
import io.parley.identity.certificate.Credentials;
import io.parley.identity.certificate.Pem;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The authority that vouches for the control plane's own ports. All control planes of one store share it, so that a client that
 * trusts one trusts the other behind the same load balancer.
 */
public final class ServerIdentity {
    private static final String NAME = "control-plane-ca";
    private static final Duration AUTHORITY_LIFE = Duration.ofDays(3650);
    private static final Duration SERVER_LIFE = Duration.ofDays(90);

    private final CertificateAuthority authority;

    private ServerIdentity(CertificateAuthority authority) {
        this.authority = authority;
    }

    public static ServerIdentity open(SealedSecrets secrets, Clock clock, SecureRandom random) {
        byte[] pem = secrets.findOrMake(NAME, () -> {
            CertificateAuthority made =
                    CertificateAuthority.create("Parley control plane", AUTHORITY_LIFE, clock, random);
            return (Pem.encode(made.certificate()) + Pem.encode(made.privateKey())).getBytes(StandardCharsets.US_ASCII);
        });
        String text = new String(pem, StandardCharsets.US_ASCII);
        return new ServerIdentity(
                new CertificateAuthority(Pem.certificates(text).getFirst(), Pem.privateKey(text), clock, random));
    }

    /** What clients must trust, in text form. */
    public String trustPem() {
        return Pem.encode(authority.certificate());
    }

    /**
     * A certificate for this machine, by every name under which it may be reached.
     *
     * @param names host names and addresses beyond the machine's own
     */
    public Credentials issue(Collection<String> names) {
        Set<String> hosts = new LinkedHashSet<>(Set.of("localhost"));
        Set<String> addresses = new LinkedHashSet<>(Set.of("127.0.0.1", "0:0:0:0:0:0:0:1"));
        for (String name : names) {
            (isAddress(name) ? addresses : hosts).add(name);
        }
        hosts.add(machineName());
        return authority.issueServer(hosts, addresses, SERVER_LIFE);
    }

    /** What this machine calls itself; one that does not know is reached by another name. */
    public static String machineName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }

    private static boolean isAddress(String name) {
        return name.indexOf(':') >= 0 || name.chars().allMatch(c -> c == '.' || Character.isDigit(c));
    }
}
