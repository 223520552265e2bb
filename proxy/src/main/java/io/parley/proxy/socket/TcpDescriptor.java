package io.parley.proxy.socket;

import io.netty.channel.socket.SocketProtocolFamily;
import io.netty.channel.unix.Socket;

/** Netty's system calls on one TCP socket. */
final class TcpDescriptor extends Socket {
    /** One that the kernel has opened. */
    TcpDescriptor(int number) {
        super(number);
    }

    /** Opens one for addresses of IPv4. */
    static TcpDescriptor openForIpv4() {
        return new TcpDescriptor(newSocketStream0(SocketProtocolFamily.INET));
    }

    /** Opens one for addresses of both versions, if the machine has both. */
    static TcpDescriptor open() {
        return new TcpDescriptor(newSocketStream0());
    }
}
