package io.parley.control.serve;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.parley.control.node.NodeKey;
import io.parley.xds.server.snapshot.LiveSnapshot;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The links for which there is nothing, since nobody has declared who is at their other end: each is told of once, after some seconds,
 * and once more when that has been made good. A proxy may well start before its resource is applied.
 */
final class UnfilledLinks {
    private static final Logger LOG = LoggerFactory.getLogger(UnfilledLinks.class);

    private final AtomicInteger unfilled = new AtomicInteger();
    private final ScheduledExecutorService timer;
    private final Duration patience;

    UnfilledLinks(ScheduledExecutorService timer, Duration patience, MeterRegistry metrics) {
        this.timer = timer;
        this.patience = patience;
        Gauge.builder("parley.link.unfilled", unfilled, AtomicInteger::get)
                .description("Links of proxies of which there is no Dataplane, Gateway, ZoneIngress or ZoneEgress")
                .register(metrics);
    }

    /** Somebody waits for what is in this cell. */
    Visitor joined(NodeKey node, LiveSnapshot cell) {
        return new Visitor(node, cell);
    }

    private enum State {
        WAITING,
        TOLD,
        DONE
    }

    /** One who waits. */
    final class Visitor {
        private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);
        private final NodeKey node;
        private final LiveSnapshot cell;
        private final Future<?> look;

        private Visitor(NodeKey node, LiveSnapshot cell) {
            this.node = node;
            this.cell = cell;
            look = timer.schedule(this::look, patience.toMillis(), TimeUnit.MILLISECONDS);
        }

        private void look() {
            if (cell.current().isEmpty() && state.compareAndSet(State.WAITING, State.TOLD)) {
                unfilled.incrementAndGet();
                LOG.warn(
                        "{} has joined and there is no {}: it gets no configuration until there is",
                        node.name(),
                        node.resource());
            }
        }

        /** There is something for it. */
        void filled() {
            if (state.get() != State.DONE && end()) {
                LOG.info("there is a {} now, and {} gets its configuration", node.resource(), node.name());
            }
        }

        void left() {
            look.cancel(false);
            end();
        }

        private boolean end() {
            boolean told = state.getAndSet(State.DONE) == State.TOLD;
            if (told) {
                unfilled.decrementAndGet();
            }
            return told;
        }
    }
}
