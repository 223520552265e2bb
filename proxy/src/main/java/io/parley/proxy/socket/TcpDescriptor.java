package io.parley.proxy.socket;

import io.netty.channel.socket.SocketProtocolFamily;
import io.netty.channel.unix.Socket;
import java.net.Inet4Address;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/** Netty's system calls on one TCP socket. */
final class TcpDescriptor extends Socket {
    /** One that the kernel has opened. */
    TcpDescriptor(int number) {
        super(number);
    }

    /** Opens one for this address. If that is of IPv4, so is the socket: in one for both versions every address of it takes another translation. */
    static TcpDescriptor openFor(@Nullable InetAddress address) {
        return address instanceof Inet4Address
                ? new TcpDescriptor(newSocketStream0(SocketProtocolFamily.INET))
                : open();
    }

    /** Opens one for addresses of both versions, if the machine has both. */
    static TcpDescriptor open() {
        return new TcpDescriptor(newSocketStream0());
    }
}
