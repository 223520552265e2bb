package io.parley.cli.command;

import io.parley.cli.client.CommandFailure;
import io.parley.cli.client.ExitCode;
import io.parley.proxy.Surroundings;
import io.parley.proxy.config.xds.Local;
import io.parley.proxy.join.CertificateFiles;
import io.parley.proxy.join.ControlPlaneLink;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code parley certificate}: a certificate of the mesh for a program that has no proxy. */
@Command(
        name = "certificate",
        description = "Get the certificate of a data plane that has no proxy, into files.",
        footer = {
            "",
            "Writes certificate.pem, key.pem and authorities.pem. The key is made here and never sent. Give the files"
                    + " to",
            "`parley bootstrap --certificate --private-key --roots`; gRPC reads them again when they change."
        })
@SuppressWarnings("NullAway.Init") // fields are set by picocli
public final class CertificateCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Mixin
    private Membership membership;

    @Option(names = "--name", required = true, paramLabel = "NAME", description = "The Dataplane.")
    private String name;

    @Option(
            names = {"-m", "--mesh"},
            paramLabel = "MESH",
            defaultValue = "default",
            description = "Its mesh. Default: ${DEFAULT-VALUE}.")
    private String mesh;

    @Option(names = "--out", required = true, paramLabel = "DIR", description = "Where the files go.")
    private Path out;

    @Option(names = "--watch", description = "Stay, and renew them in time.")
    private boolean watch;

    @Option(
            names = "--within",
            paramLabel = "SECONDS",
            defaultValue = "30",
            description = "Give up if there is none after so long. Default: ${DEFAULT-VALUE}.")
    private int within;

    @Override
    public void run() {
        BlockingQueue<Instant> written = new LinkedBlockingQueue<>();
        ControlPlaneLink.Settings settings = membership.settings(mesh, name);
        try (ControlPlaneLink link = new ControlPlaneLink(settings, Local.NOTHING, Surroundings.real())) {
            CertificateFiles files = new CertificateFiles(out);
            link.startForCertificate((shown, trusted) -> {
                files.write(shown, trusted);
                written.add(shown.leaf().getNotAfter().toInstant());
            });
            Instant end = written.poll(Duration.ofSeconds(within).toMillis(), TimeUnit.MILLISECONDS);
            if (end == null) {
                throw new CommandFailure(
                        ExitCode.FAILED,
                        "no certificate for " + name + " of mesh " + mesh + " within " + within
                                + " s (expected: a Dataplane of that name, and its token)");
            }
            print(end);
            while (watch) {
                print(written.take());
            }
        } catch (IOException | UncheckedIOException | IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.FAILED, String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void print(Instant end) {
        PrintWriter print = spec.commandLine().getOut();
        print.println("certificate of " + name + " in " + out + ", valid until " + end);
        print.flush();
    }
}
