package io.parley.cli.demo;

import io.parley.proxy.Direction;
import io.parley.proxy.tcp.Agreed;
import io.parley.proxy.tcp.Choice;
import io.parley.proxy.tcp.Session;
import java.io.PrintWriter;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** Shows what was agreed on each hop: a line when it happens for the first time, and whenever it is agreed otherwise. */
final class Hops {
    private static final int MOST_WAITING = 1000;

    private final PrintWriter out;
    private final BlockingQueue<Hop> waiting = new LinkedBlockingQueue<>(MOST_WAITING);
    private final Set<Hop> shown = new HashSet<>();

    Hops(PrintWriter out) {
        this.out = out;
    }

    /** Called on event loops too, so all it does is remember. */
    void seen(String proxy, Session session) {
        Agreed agreed = session.agreed();
        Choice choice = session.choice();
        if (agreed != null && choice != null) {
            waiting.offer(Hop.of(proxy, session.accepted().direction(), agreed, choice));
        }
    }

    /** Prints as hops come, until the thread is interrupted. */
    void show() throws InterruptedException {
        while (true) {
            Hop hop = waiting.take();
            if (shown.add(hop)) {
                out.println(hop);
                out.flush();
            }
        }
    }

    private record Hop(String from, String to, String protocol, String because, String secured) {
        static Hop of(String proxy, Direction direction, Agreed agreed, Choice choice) {
            String protocol = agreed.protocol().toString();
            String because = agreed.because().because();
            if (choice.target().startsWith("gateway:")) {
                return new Hop("somebody", "gateway", protocol, because, "in clear");
            }
            if (direction == Direction.OUTBOUND) {
                var mesh = choice.endpoint().mesh();
                String secured = mesh == null ? "in clear" : "mutual TLS with " + mesh.identity();
                return new Hop(proxy, choice.target(), protocol, because, secured);
            }
            String secured = agreed.peer() == null ? "in clear" : "mutual TLS from " + agreed.peer();
            return new Hop(proxy, "its application", protocol, because, secured);
        }

        @Override
        public String toString() {
            return "  %-9s -> %-16s %-7s %s: %s".formatted(from, to, protocol, because, secured);
        }
    }
}
