package io.parley.sync;

import io.parley.agreement.sync.SyncVersion;
import io.parley.sync.cache.Pace;
import io.parley.sync.codec.Encoding;
import io.parley.xds.client.loop.Backoff;
import java.time.Duration;
import java.util.List;

/**
 * How a zone follows its global control plane.
 *
 * @param instance tells control planes of one zone apart
 * @param release of this program
 * @param versions of the protocol that are offered
 * @param names what the zone's resources are called on their way
 * @param pace how often changes go to global
 * @param backoff between connections that failed
 * @param stable a connection that lasted this long makes the next wait short again
 */
public record ZoneSettings(
        String zone,
        String instance,
        String release,
        List<SyncVersion> versions,
        Encoding.Names names,
        Pace pace,
        Backoff backoff,
        Duration stable) {
    /** As Kuma does: from 5 s to a minute, and a minute until a connection counts as good (case 26). */
    public static final Backoff BACKOFF = new Backoff(Duration.ofSeconds(5), Duration.ofSeconds(60), 2, 0.3);

    public ZoneSettings {
        versions = List.copyOf(versions);
    }

    public static ZoneSettings of(String zone, String instance, String release) {
        return new ZoneSettings(
                zone,
                instance,
                release,
                List.of(SyncVersion.STATE_OF_THE_WORLD, SyncVersion.DELTA),
                Encoding.Names.PLAIN,
                Pace.DEFAULT,
                BACKOFF,
                Duration.ofMinutes(1));
    }

    public ZoneSettings withVersions(List<SyncVersion> newVersions) {
        return new ZoneSettings(zone, instance, release, newVersions, names, pace, backoff, stable);
    }

    public ZoneSettings withNames(Encoding.Names newNames) {
        return new ZoneSettings(zone, instance, release, versions, newNames, pace, backoff, stable);
    }

    public ZoneSettings withPace(Pace newPace) {
        return new ZoneSettings(zone, instance, release, versions, names, newPace, backoff, stable);
    }

    public ZoneSettings withBackoff(Backoff newBackoff, Duration newStable) {
        return new ZoneSettings(zone, instance, release, versions, names, pace, newBackoff, newStable);
    }
}
