package io.parley.proxy.tcp;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.unix.RawUnixChannelOption;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/** Asks the kernel where a connection that it redirected here was meant to go. */
final class OriginalDestination {
    private static final int SOL_IP = 0;
    private static final int SOL_IPV6 = 41;
    private static final int SO_ORIGINAL_DST = 80;
    private static final int PORT_AT = 2;

    private static final RawUnixChannelOption IPV4 =
            new RawUnixChannelOption("SO_ORIGINAL_DST", SOL_IP, SO_ORIGINAL_DST, 16);
    private static final RawUnixChannelOption IPV6 =
            new RawUnixChannelOption("IP6T_SO_ORIGINAL_DST", SOL_IPV6, SO_ORIGINAL_DST, 28);

    private OriginalDestination() {}

    /** Empty if the connection was not redirected, or the transport cannot ask. */
    static Optional<InetSocketAddress> of(Channel channel) {
        boolean ipv6 = channel.localAddress() instanceof InetSocketAddress local
                && local.getAddress().getAddress().length == 16;
        return ipv6 ? ask(channel, IPV6, 8, 16) : ask(channel, IPV4, 4, 4);
    }

    private static Optional<InetSocketAddress> ask(
            Channel channel, RawUnixChannelOption option, int addressAt, int addressLength) {
        try {
            ByteBuffer answer = channel.config().getOption(option);
            return answer == null ? Optional.empty() : Optional.of(address(answer, addressAt, addressLength));
        } catch (ChannelException e) {
            // ENOENT: the kernel tracks no redirection of this connection.
            return Optional.empty();
        }
    }

    /** Reads a sockaddr_in or sockaddr_in6. */
    static InetSocketAddress address(ByteBuffer raw, int addressAt, int addressLength) {
        byte[] bytes = new byte[addressLength];
        raw.get(raw.position() + addressAt, bytes);
        int port = raw.order(ByteOrder.BIG_ENDIAN).getShort(raw.position() + PORT_AT) & 0xffff;
        try {
            return new InetSocketAddress(InetAddress.getByAddress(bytes), port);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address of " + addressLength + " bytes was refused", e);
        }
    }
}
