package io.parley.proxy.app;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.parley.identity.certificate.Credentials;
import io.parley.identity.certificate.KeyStores;
import io.parley.wire.header.ConnectionHeader;
import io.parley.wire.header.ConnectionHeaderCodec;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/** Another implementation of a proxy, made of the JDK's TLS, that can be told to misbehave. */
public final class PeerProxy implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 15_000;

    private final SSLSocket socket;

    private PeerProxy(SSLSocket socket) {
        this.socket = socket;
    }

    /**
     * Connects and shakes hands.
     *
     * @param credentials null for a client without a certificate
     * @param name the server name to ask for; null for none
     */
    public static PeerProxy connect(
            InetSocketAddress address, @Nullable Credentials credentials, @Nullable String name, String... alpn)
            throws IOException {
        SSLSocket socket = (SSLSocket) context(credentials).getSocketFactory().createSocket();
        socket.setSoTimeout(PATIENCE_MILLIS);
        socket.setTcpNoDelay(true);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setApplicationProtocols(alpn);
        parameters.setServerNames(name == null ? List.of() : List.of(new SNIHostName(name)));
        socket.setSSLParameters(parameters);
        socket.connect(address, PATIENCE_MILLIS);
        socket.startHandshake();
        return new PeerProxy(socket);
    }

    /** What the JDK speaks TLS by, believing everybody. */
    static SSLContext context(@Nullable Credentials credentials) {
        try {
            KeyStore store = KeyStore.getInstance(KeyStores.IN_MEMORY);
            store.load(null, null);
            if (credentials != null) {
                store.setKeyEntry(
                        "peer",
                        credentials.key(),
                        new char[0],
                        credentials.chain().toArray(X509Certificate[]::new));
            }
            KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
            keys.init(store, new char[0]);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys.getKeyManagers(), new TrustManager[] {new Credulous()}, null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    public static byte[] bytes(ConnectionHeader header, String after) {
        ByteBuf out = Unpooled.buffer();
        ConnectionHeaderCodec.write(header, out);
        out.writeCharSequence(after, ISO_8859_1);
        return ByteBufUtil.getBytes(out);
    }

    public PeerProxy send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
        return this;
    }

    public String read(int bytes) throws IOException {
        return new String(socket.getInputStream().readNBytes(bytes), ISO_8859_1);
    }

    /** Everything up to the end of the other side's output. */
    public String readAll() throws IOException {
        return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
    }

    /** True if the other side closes or resets without having sent anything. */
    public boolean isCutOff() {
        try {
            return socket.getInputStream().read() < 0;
        } catch (java.net.SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    public Socket socket() {
        return socket;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    /** The proxy under test is who it is; what it makes of us is what is tested. */
    private static final class Credulous implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
