package io.parley.proxy.telemetry;

/**
 * The numbers of one kind of connection: same direction, side, peer and target.
 *
 * @param opened connections so far
 * @param open connections now
 * @param read bytes that came from the peer
 * @param written bytes that were sent to the peer
 */
public record TcpSeries(Count opened, Count open, Count read, Count written) {}
