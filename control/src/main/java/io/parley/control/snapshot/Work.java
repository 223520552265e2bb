package io.parley.control.snapshot;

/**
 * What was done so far, to be compared before and after a change.
 *
 * @param changes steps of the model
 * @param proxiesBuilt proxies that were made as a whole
 * @param endpointsReplaced proxies of which only endpoints were replaced
 * @param resourcesEncoded messages that became bytes
 * @param published snapshots in which something was new
 */
public record Work(long changes, long proxiesBuilt, long endpointsReplaced, long resourcesEncoded, long published) {
    public Work minus(Work earlier) {
        return new Work(
                changes - earlier.changes,
                proxiesBuilt - earlier.proxiesBuilt,
                endpointsReplaced - earlier.endpointsReplaced,
                resourcesEncoded - earlier.resourcesEncoded,
                published - earlier.published);
    }
}
