package io.parley.cli.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A control plane whose disk is full refuses writes, lives, and loses nothing. */
class FullDiskIT {
    private static final String TIMEOUTS = "/meshes/default/meshtimeouts";
    private static final int MORE_THAN_FIT = 1_000;

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @Test
    void itAnswers503AndLivesAndNothingAcknowledgedIsLost(@TempDir Path folder) throws Exception {
        assumeTrue(
                run("mount", "-t", "tmpfs", "-o", "size=12m", "tmpfs", folder.toString()),
                "SKIPPED: a small file system cannot be mounted; run as root");
        try {
            Path ballast = Files.write(folder.resolve("ballast"), new byte[6 << 20]);
            Path data = Files.createDirectory(folder.resolve("data"));
            int kept = fill(ControlPlaneProcess.start(data), ballast);
            ControlPlaneProcess again = ControlPlaneProcess.start(data);
            assertThat(total(again)).isEqualTo(kept);
            again.kill();
        } finally {
            assertThat(run("umount", folder.toString())).isTrue();
        }
    }

    /** Returns how many there must be: those that the mesh came with, and those whose writes were acknowledged. */
    private int fill(ControlPlaneProcess server, Path ballast) throws Exception {
        try {
            int first = total(server);
            int kept = first;
            HttpResponse<String> answer = put(server, kept);
            while (answer.statusCode() == 201 && kept - first < MORE_THAN_FIT) {
                kept++;
                answer = put(server, kept);
            }
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(503);
            assertThat(answer.body()).contains("store-unavailable");
            assertThat(total(server)).isEqualTo(kept);

            Files.delete(ballast);
            assertThat(put(server, kept).statusCode()).isEqualTo(201);
            return kept + 1;
        } finally {
            server.kill();
        }
    }

    private HttpResponse<String> put(ControlPlaneProcess server, int number) throws IOException, InterruptedException {
        String body = """
            {"apiVersion":"kuma.io/v1alpha1","kind":"MeshTimeout",\
            "metadata":{"name":"t%d","namespace":"kuma-system","annotations":{"filler":"%s"}},\
            "spec":{"targetRef":{"kind":"Mesh"},"to":[{"targetRef":{"kind":"Mesh"},"default":{"idleTimeout":"1s"}}]}}\
            """.formatted(number, "x".repeat(100_000));
        return http.send(
                request(server, TIMEOUTS + "/t" + number)
                        .header("content-type", "application/json")
                        .PUT(BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
    }

    private int total(ControlPlaneProcess server) throws IOException, InterruptedException {
        String list = http.send(request(server, TIMEOUTS + "?size=1").build(), BodyHandlers.ofString())
                .body();
        return new ObjectMapper().readTree(list).path("total").asInt();
    }

    private static HttpRequest.Builder request(ControlPlaneProcess server, String path) {
        return HttpRequest.newBuilder(server.api().resolve(path)).header("authorization", "Bearer " + server.token());
    }

    private static boolean run(String... command) throws InterruptedException {
        try {
            return new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        }
    }
}
