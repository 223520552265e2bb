package io.parley.bench.proxy;

import io.parley.identity.certificate.CertificateAuthority;
import io.parley.identity.certificate.Credentials;
import io.parley.identity.certificate.KeyPairs;
import io.parley.identity.certificate.Pem;
import io.parley.identity.certificate.SpiffeId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.List;

/** One authority and a certificate for each side, as files. Ours name members of the mesh, the others' server a host. */
public final class Certificates {
    private static final Duration A_DAY = Duration.ofDays(1);

    private final Path folder;

    /** Makes them in this folder. */
    public Certificates(Path folder) throws IOException {
        this.folder = folder;
        SecureRandom random = new SecureRandom();
        CertificateAuthority authority = CertificateAuthority.create("bench", A_DAY, Clock.systemUTC(), random);
        Files.writeString(authority(), Pem.encode(authority.certificate()));
        for (String side : List.of("client", "server")) {
            KeyPair key = KeyPairs.generate(random);
            var member = authority.issueWorkload(SpiffeId.parse(name(side)), key.getPublic(), A_DAY);
            write(side + "-member", new Credentials(List.of(member), key.getPrivate()));
            // A host's certificate is for servers only.
            write(
                    side,
                    side.equals("client")
                            ? new Credentials(List.of(member), key.getPrivate())
                            : authority.issueServer(List.of("localhost"), List.of("127.0.0.1"), A_DAY));
        }
    }

    private void write(String name, Credentials credentials) throws IOException {
        Files.writeString(chain(name), Pem.encode(credentials.chain()));
        Files.writeString(key(name), Pem.encode(credentials.key()));
        Files.writeString(bundle(name), Pem.encode(credentials.chain()) + Pem.encode(credentials.key()));
    }

    public String name(String side) {
        return "spiffe://bench/" + side;
    }

    Path authority() {
        return folder.resolve("ca.pem");
    }

    Path chain(String side) {
        return folder.resolve(side + ".pem");
    }

    Path key(String side) {
        return folder.resolve(side + ".key");
    }

    Path bundle(String side) {
        return folder.resolve(side + "-bundle.pem");
    }

    /** The part of our static file. */
    public String identity(String side) {
        return "identity: {certificate: %s, key: %s, trust: %s}\n"
                .formatted(chain(side + "-member"), key(side + "-member"), authority());
    }
}
