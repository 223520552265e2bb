package io.parley.xds.client;

import io.parley.xds.client.WatchEvent.Absent;
import io.parley.xds.client.WatchEvent.AmbientError;
import io.parley.xds.client.WatchEvent.Changed;
import io.parley.xds.client.loop.Loop;
import io.parley.xds.client.resource.Decoded.Versioned;
import io.parley.xds.client.resource.ResourceName;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What is known of one resource, and who wants to know. */
final class Entry<T> {
    private final ResourceName name;
    private final Set<Subscriber<T>> everyone;
    private final Set<Subscriber<T>> subscribers = new LinkedHashSet<>();
    private @Nullable Versioned<T> value;
    private @Nullable Trouble absence;
    private @Nullable Trouble dispute;
    private @Nullable Trouble outage;
    private Loop.@Nullable Timer timer;
    private Loop.@Nullable Timer lifetime;
    private @Nullable ServerLink<?, ?> asked;
    private boolean heard;

    /**
     * @param everyone the watchers of all resources of the type, who are told of this one too
     */
    Entry(ResourceName name, Set<Subscriber<T>> everyone) {
        this.name = name;
        this.everyone = everyone;
    }

    ResourceName name() {
        return name;
    }

    boolean isWatched() {
        return !subscribers.isEmpty();
    }

    /** Whether it is known to be there or not to be. */
    boolean isSettled() {
        return value != null || absence != null;
    }

    boolean isPresent() {
        return value != null;
    }

    /** Adds a watcher, who learns at once what is known. */
    void add(Subscriber<T> subscriber, Deliveries deliveries) {
        subscribers.add(subscriber);
        tell(subscriber, deliveries);
    }

    void tell(Subscriber<T> subscriber, Deliveries deliveries) {
        if (value != null) {
            deliveries.deliver(subscriber, new Changed<>(name.text(), value.value(), value.version()));
        } else if (absence != null) {
            deliveries.deliver(subscriber, new Absent<>(name.text(), absence));
        }
        Stream.of(Optional.ofNullable(dispute), Optional.ofNullable(outage))
                .flatMap(Optional::stream)
                .forEach(trouble -> deliveries.deliver(subscriber, new AmbientError<>(name.text(), trouble)));
    }

    void remove(Subscriber<T> subscriber) {
        subscribers.remove(subscriber);
        if (subscribers.isEmpty()) {
            stopTimer();
        }
    }

    void present(Versioned<T> found, Deliveries deliveries) {
        answered();
        boolean same = value != null && value.value().equals(found.value());
        value = found;
        absence = null;
        dispute = null;
        if (!same) {
            publish(new Changed<>(name.text(), found.value(), found.version()), deliveries);
        }
    }

    void absent(Trouble because, Deliveries deliveries) {
        answered();
        stopLifetime();
        boolean same = value == null && because.equals(absence);
        value = null;
        absence = because;
        dispute = null;
        if (!same) {
            publish(new Absent<>(name.text(), because), deliveries);
        }
    }

    /** Trouble with the resource itself: whatever there was is kept. */
    void disputed(Trouble trouble, Deliveries deliveries) {
        answered();
        dispute = trouble;
        publish(new AmbientError<>(name.text(), trouble), deliveries);
    }

    /** Trouble with the server. */
    void outage(Trouble trouble, Deliveries deliveries) {
        outage = trouble;
        publish(new AmbientError<>(name.text(), trouble), deliveries);
    }

    /** The server is back. */
    void recovered() {
        outage = null;
    }

    /** The server has been asked, on a connected stream: from now on it has so long to answer. */
    void expect(ServerLink<?, ?> link, Loop loop, Duration patience, Runnable whenLate) {
        if (!isSettled() && !heard && timer == null) {
            asked = link;
            timer = loop.after(patience, () -> {
                timer = null;
                whenLate.run();
            });
        }
    }

    /** The stream is gone on which the server was asked. */
    void interrupted(ServerLink<?, ?> link) {
        heard = false;
        if (Optional.ofNullable(asked).filter(link::equals).isPresent()) {
            stopTimer();
        }
    }

    /** The server has said something about it on this stream. */
    void answered() {
        heard = true;
        stopTimer();
    }

    /** It is to be forgotten after this time, unless the server speaks of it again. */
    void lives(Optional<Duration> time, Loop loop, Runnable whenOver) {
        stopLifetime();
        time.ifPresent(left -> lifetime = loop.after(left, () -> {
            lifetime = null;
            whenOver.run();
        }));
    }

    private void stopLifetime() {
        if (lifetime != null) {
            lifetime.cancel();
            lifetime = null;
        }
    }

    /** Nothing happens to it any more. */
    void close() {
        stopTimer();
        stopLifetime();
    }

    private void stopTimer() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
        asked = null;
    }

    private void publish(WatchEvent<T> event, Deliveries deliveries) {
        subscribers.forEach(subscriber -> deliveries.deliver(subscriber, event));
        everyone.forEach(subscriber -> deliveries.deliver(subscriber, event));
    }
}
