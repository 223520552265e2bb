package io.parley.proxy.tcp;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * By which a proxy sees that a port is taken by the one that it is to succeed: the kernel tells whether a port is taken, and not for
 * whom. Each gateway's listener has a Unix socket whose abstract name is made from the listener's. Like ports, such names belong to
 * a network, not to a file system, and the kernel takes them back when their process ends, however it does.
 */
final class Mark {
    private static final Logger LOG = LoggerFactory.getLogger(Mark.class);
    private static final String PREFIX = "parley-listener/";
    private static final Path ALL = Path.of("/proc/net/unix");

    /** Names of sockets are short, and what a Gateway is called is nobody's business. */
    private static final int DIGEST_BYTES = 8;

    private Mark() {}

    /** Sets one for as long as the listener is open. Without it a successor waits until the port is free. */
    static void set(String listener, Channel bound, EventLoopGroup loops) {
        String name = "\0" + prefix(listener) + bound.id().asLongText();
        ChannelFuture mark = new ServerBootstrap()
                .group(loops)
                .channel(EpollServerDomainSocketChannel.class)
                .option(ChannelOption.AUTO_READ, false)
                .childHandler(new ChannelInboundHandlerAdapter())
                .bind(new DomainSocketAddress(name))
                .awaitUninterruptibly();
        if (mark.isSuccess()) {
            bound.closeFuture().addListener(_ -> mark.channel().close());
        } else {
            LOG.warn(
                    "{} cannot be handed over without a gap: {}",
                    listener,
                    mark.cause().getMessage());
        }
    }

    /** Whether somebody has a listener of this name open, in this process or another. */
    static boolean isThere(String listener) {
        // An abstract name is printed with an @ in place of its first byte, which is zero.
        String wanted = " @" + prefix(listener);
        try (Stream<String> lines = Files.lines(ALL, StandardCharsets.ISO_8859_1)) {
            return lines.anyMatch(line -> line.contains(wanted));
        } catch (IOException e) {
            LOG.debug("no list of sockets to be had", e);
            return false;
        }
    }

    private static String prefix(String listener) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(listener.getBytes(StandardCharsets.UTF_8));
            return PREFIX + HexFormat.of().formatHex(digest, 0, DIGEST_BYTES) + "/";
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
