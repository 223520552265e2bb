package io.parley.proxy.tcp;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.unix.RawUnixChannelOption;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Makes a listener the one that new connections go to, when an older one still listens on the same port. The kernel would share
 * them out between the two, and reset those that the older one has not accepted when it is closed. With all of them at the new one,
 * the older accepts what it has and closes, and nobody notices the restart.
 *
 * <p>The kernel is given the smallest of filter programs: always the second listener in the order of binding. If there is only one,
 * that is no valid answer, and it is taken.
 */
final class Succession {
    private static final int SOL_SOCKET = 1;
    private static final int SO_ATTACH_REUSEPORT_CBPF = 51;
    private static final short RETURN_CONSTANT = 6;
    private static final int SECOND = 1;
    private static final int PROGRAM_BYTES = 16;

    private static final RawUnixChannelOption OPTION =
            new RawUnixChannelOption("SO_ATTACH_REUSEPORT_CBPF", SOL_SOCKET, SO_ATTACH_REUSEPORT_CBPF, PROGRAM_BYTES);

    private Succession() {}

    /** Where the kernel cannot be told, connections are shared out: a restart may then reset a few. */
    static void take(Channel listener) {
        try (Arena arena = Arena.ofConfined()) {
            // struct sock_filter { u16 code; u8 jt; u8 jf; u32 k; }
            MemorySegment filter = arena.allocate(8, 8);
            filter.set(ValueLayout.JAVA_SHORT, 0, RETURN_CONSTANT);
            filter.set(ValueLayout.JAVA_INT, 4, SECOND);
            // struct sock_fprog { u16 len; struct sock_filter *filter; }
            ByteBuffer program = ByteBuffer.allocate(PROGRAM_BYTES).order(ByteOrder.nativeOrder());
            program.putShort(0, (short) 1).putLong(8, filter.address());
            listener.config().setOption(OPTION, program);
        } catch (ChannelException | UnsupportedOperationException e) {
            // Not this kernel, or not this transport.
        }
    }
}
