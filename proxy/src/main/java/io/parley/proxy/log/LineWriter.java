package io.parley.proxy.log;

import java.io.IOException;

/** Takes lines and may block. After a failure it is asked again with the next lines. Used by one thread. */
interface LineWriter {
    void write(byte[] lines) throws IOException;

    /** Lets go of what is open; may be called by another thread to free one that is stuck. */
    void close();
}
