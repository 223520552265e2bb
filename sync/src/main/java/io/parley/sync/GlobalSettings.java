package io.parley.sync;

import io.parley.agreement.sync.SyncVersion;
import io.parley.sync.cache.Pace;
import java.time.Duration;
import java.util.List;

/**
 * How a global control plane keeps its zones in step.
 *
 * @param instance tells control planes of one store apart
 * @param release of this program
 * @param versions of the protocol that are offered
 * @param health how often zones are asked to say that they live
 * @param healthTimeout silence after which streams of a zone that promised to do so are ended
 * @param statusInterval how often what is known of zones is written down, if it changed
 * @param idleTimeout after which a connection whose global control plane says nothing of it counts as gone
 * @param mostZones of one tenant that may be connected here at a time
 */
public record GlobalSettings(
        String instance,
        String release,
        List<SyncVersion> versions,
        Pace pace,
        Duration health,
        Duration healthTimeout,
        Duration statusInterval,
        Duration idleTimeout,
        int mostZones) {
    public GlobalSettings {
        versions = List.copyOf(versions);
    }

    public static GlobalSettings of(String instance, String release) {
        return new GlobalSettings(
                instance,
                release,
                List.of(SyncVersion.STATE_OF_THE_WORLD, SyncVersion.DELTA),
                Pace.DEFAULT,
                Duration.ofSeconds(15),
                Duration.ofSeconds(60),
                Duration.ofSeconds(10),
                Duration.ofMinutes(5),
                1_000);
    }

    public GlobalSettings withPace(Pace newPace) {
        return new GlobalSettings(
                instance, release, versions, newPace, health, healthTimeout, statusInterval, idleTimeout, mostZones);
    }

    public GlobalSettings withVersions(List<SyncVersion> newVersions) {
        return new GlobalSettings(
                instance, release, newVersions, pace, health, healthTimeout, statusInterval, idleTimeout, mostZones);
    }

    public GlobalSettings withTimes(
            Duration newHealth, Duration newHealthTimeout, Duration newStatusInterval, Duration newIdleTimeout) {
        return new GlobalSettings(
                instance,
                release,
                versions,
                pace,
                newHealth,
                newHealthTimeout,
                newStatusInterval,
                newIdleTimeout,
                mostZones);
    }

    public GlobalSettings withMostZones(int newMostZones) {
        return new GlobalSettings(
                instance, release, versions, pace, health, healthTimeout, statusInterval, idleTimeout, newMostZones);
    }
}
