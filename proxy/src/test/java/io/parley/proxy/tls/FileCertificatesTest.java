package io.parley.proxy.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.parley.identity.certificate.CertificateAuthority;
import io.parley.identity.certificate.Credentials;
import io.parley.identity.certificate.Pem;
import io.parley.proxy.app.Logged;
import io.parley.proxy.app.TestMesh;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileCertificatesTest {
    private final Logged logged = Logged.by(FileCertificates.class);

    @TempDir
    Path folder;

    @AfterEach
    void stop() {
        logged.close();
    }

    @Test
    void saysOnceThatAFileIsMissingAndAgainWhenSomethingElseIsWrong() throws IOException {
        Path certificate = folder.resolve("cert.pem");
        FileCertificates files = new FileCertificates(certificate, folder.resolve("key.pem"), folder.resolve("ca.pem"));

        files.refresh();
        files.refresh();

        assertThat(logged.lines()).hasSize(1);
        assertThat(logged.lines().getFirst()).contains("cert.pem is not there", "there is none to go on with");

        Files.writeString(certificate, "");
        files.refresh();
        files.refresh();

        assertThat(logged.lines()).hasSize(2);
        assertThat(logged.lines().getLast()).contains("key.pem is not there");
        assertThat(files.current()).isEmpty();
    }

    /** In the middle of a renewal, or by mistake: with these no handshake would come to its end. */
    @Test
    void keepsWhatBelongsTogether() throws IOException {
        CertificateAuthority authority = TestMesh.authority();
        Credentials first =
                TestMesh.issue(authority, TestMesh.SERVER, Duration.ofHours(1)).credentials();
        Credentials second =
                TestMesh.issue(authority, TestMesh.SERVER, Duration.ofHours(1)).credentials();
        Path key = Files.writeString(folder.resolve("key.pem"), Pem.encode(first.key()));
        Path certificate = Files.writeString(folder.resolve("cert.pem"), Pem.encode(first.chain()));
        Path trust = Files.writeString(folder.resolve("ca.pem"), Pem.encode(List.of(authority.certificate())));
        FileCertificates files = new FileCertificates(certificate, key, trust);
        assertThat(files.refresh()).isTrue();

        Files.writeString(certificate, Pem.encode(second.chain()));
        assertThat(files.refresh()).isFalse();
        assertThat(files.current().orElseThrow().credentials().leaf()).isEqualTo(first.leaf());
        assertThat(logged.lines().getLast()).contains("that of another certificate", "going on with the one before");

        Files.writeString(key, Pem.encode(second.key()));
        assertThat(files.refresh()).isTrue();
        assertThat(files.current().orElseThrow().credentials().leaf()).isEqualTo(second.leaf());
    }
}
