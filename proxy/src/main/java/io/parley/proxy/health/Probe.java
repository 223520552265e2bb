package io.parley.proxy.health;

/** Puts a question to an endpoint. */
interface Probe {
    /** Told once whether the answer was good, on the event loop. */
    interface Verdict {
        void is(boolean good);
    }

    /** Asks; what is returned calls it off. */
    Runnable ask(Verdict verdict);
}
