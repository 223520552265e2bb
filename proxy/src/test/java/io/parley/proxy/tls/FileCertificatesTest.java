package io.parley.proxy.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.parley.proxy.app.Logged;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
}
