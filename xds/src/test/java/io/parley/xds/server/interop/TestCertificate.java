package io.parley.xds.server.interop;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;

/** A key and a certificate that vouches for itself, made by the JDK's keytool. */
final class TestCertificate {
    private static final char[] PASSWORD = "changeit".toCharArray();

    private TestCertificate() {}

    /** Writes {@code cert.pem} and {@code key.pem}. */
    static Path write(Path folder) throws IOException, InterruptedException, GeneralSecurityException {
        Path store = folder.resolve("peer.p12");
        Process keytool = new ProcessBuilder(command(store)).inheritIO().start();
        if (keytool.waitFor() != 0) {
            throw new IOException("keytool failed");
        }
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD);
        }
        pem(
                folder.resolve("key.pem"),
                "PRIVATE KEY",
                keys.getKey("peer", PASSWORD).getEncoded());
        pem(
                folder.resolve("cert.pem"),
                "CERTIFICATE",
                keys.getCertificate("peer").getEncoded());
        return folder;
    }

    private static List<String> command(Path store) {
        String keytool =
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        String options = "-genkeypair -alias peer -keyalg EC -groupname secp256r1 -dname CN=peer -ext san=dns:peer.test"
                + " -validity 2 -storetype PKCS12 -storepass " + new String(PASSWORD);
        return Stream.of(List.of(keytool), List.of(options.split(" ")), List.of("-keystore", store.toString()))
                .flatMap(List::stream)
                .toList();
    }

    private static void pem(Path file, String label, byte[] der) throws IOException {
        String body = Base64.getMimeEncoder(64, "\n".getBytes(US_ASCII)).encodeToString(der);
        Files.writeString(file, "-----BEGIN " + label + "-----\n" + body + "\n-----END " + label + "-----\n");
    }
}
