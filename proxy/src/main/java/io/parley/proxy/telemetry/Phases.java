package io.parley.proxy.telemetry;

/**
 * Where the time of requests goes on one event loop.
 *
 * @param waiting for a connection, of those that had to wait
 * @param answering from the moment that an endpoint was chosen to the head of its answer
 * @param ending from the head of the answer to its end
 * @param whole all of it
 * @param lag how much later than it should the loop came to look at its deadlines: what everything else on it waits, too, and what the timer was late
 */
public record Phases(Phase waiting, Phase answering, Phase ending, Phase whole, Phase lag) {
    public Phases() {
        this(new Phase(), new Phase(), new Phase(), new Phase(), new Phase());
    }
}
