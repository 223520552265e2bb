package io.parley.bench.xds;

import com.sun.management.OperatingSystemMXBean;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/** A process with one server in it, driven by lines on its standard input, each answered by a line. */
final class ServerProgram {
    private ServerProgram() {}

    public static void main(String[] arguments) throws Exception {
        Subject subject = switch (arguments[0]) {
            case "parley" -> new ParleySubject();
            case "java-control-plane" -> new JavaControlPlaneSubject();
            case "bare-grpc" -> new BareGrpcSubject();
            default -> throw new IllegalArgumentException(arguments[0]);
        };
        EventLoopGroup loops = new MultiThreadIoEventLoopGroup(NioIoHandler.newFactory());
        NettyServerBuilder builder = NettyServerBuilder.forAddress(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .bossEventLoopGroup(loops)
                .workerEventLoopGroup(loops)
                .channelType(NioServerSocketChannel.class)
                .directExecutor();
        subject.register(builder, loops);
        Server server = builder.build().start();
        System.out.println(server.getPort());
        serve(subject);
        server.shutdownNow();
        var _ = loops.shutdownGracefully();
    }

    private static void serve(Subject subject) throws IOException {
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = commands.readLine(); line != null; line = commands.readLine()) {
            String[] words = line.split(" ", -1);
            switch (words[0]) {
                case "change" -> {
                    subject.change(Integer.parseInt(words[1]), Integer.parseInt(words[2]));
                    System.out.println("done");
                }
                case "cpu" -> System.out.println(cpuNanos());
                case "heap" -> System.out.println(heapBytes());
                default -> throw new IllegalArgumentException(line);
            }
        }
    }

    private static long cpuNanos() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }

    private static long heapBytes() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
