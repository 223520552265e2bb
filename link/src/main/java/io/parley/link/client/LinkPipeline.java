package io.parley.link.client;

import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.QueryStringEncoder;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolConfig;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolHandler;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.timeout.IdleStateHandler;
import io.parley.agreement.version.NodeDescription;
import io.parley.link.LinkLimits;
import java.net.URI;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLParameters;

/** What a node's connection consists of, in the order that bytes arrive. */
final class LinkPipeline extends ChannelInitializer<Channel> {
    private static final int MAX_REFUSAL_BYTES = 16 << 10;
    private static final int HTTPS_PORT = 443;

    private final LinkClient.Settings settings;
    private final LinkConnection connection;

    LinkPipeline(LinkClient.Settings settings, LinkConnection connection) {
        this.settings = settings;
        this.connection = connection;
    }

    static int port(URI controlPlane) {
        return controlPlane.getPort() < 0 ? HTTPS_PORT : controlPlane.getPort();
    }

    @Override
    protected void initChannel(Channel channel) {
        LinkLimits limits = settings.limits();
        long silence = limits.silence().toMillis();
        channel.pipeline()
                .addLast("tls", tls(channel))
                .addLast("idle", new IdleStateHandler(silence, 0, silence / 3, TimeUnit.MILLISECONDS))
                .addLast("http", new HttpClientCodec())
                .addLast("answer", new HttpObjectAggregator(MAX_REFUSAL_BYTES))
                .addLast("refused", new UpgradeRefused(connection::fail))
                .addLast("websocket", new WebSocketClientProtocolHandler(webSocket(limits)))
                .addLast("link", connection);
    }

    private SslHandler tls(Channel channel) {
        URI target = settings.controlPlane();
        SslHandler handler = settings.tls().get().newHandler(channel.alloc(), target.getHost(), port(target));
        handler.setHandshakeTimeoutMillis(settings.limits().handshake().toMillis());
        // Also for a context that was not made by ClientTls: the name in the certificate is always checked.
        SSLParameters parameters = handler.engine().getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        handler.engine().setSSLParameters(parameters);
        return handler;
    }

    private WebSocketClientProtocolConfig webSocket(LinkLimits limits) {
        HttpHeaders headers = new DefaultHttpHeaders();
        settings.token().get().ifPresent(token -> headers.set(HttpHeaderNames.AUTHORIZATION, "Bearer " + token));
        return WebSocketClientProtocolConfig.newBuilder()
                .webSocketUri(uri())
                .subprotocol("wrpc.konghq.com")
                .customHeaders(headers)
                .allowExtensions(false)
                .maxFramePayloadLength(limits.maxFrameBytes())
                .handshakeTimeoutMillis(limits.handshake().toMillis())
                .handleCloseFrames(false)
                .withUTF8Validator(false)
                .generateOriginHeader(false)
                .build();
    }

    private URI uri() {
        NodeDescription node = settings.node();
        var query = new QueryStringEncoder("/v1/wrpc");
        query.addParam("node_id", node.id());
        query.addParam("node_hostname", node.hostname());
        query.addParam("node_version", node.version());
        URI target = settings.controlPlane();
        return URI.create("wss://" + target.getRawAuthority() + query);
    }
}
