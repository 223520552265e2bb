package io.parley.control.gateway.status;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;

/** What an object's status is to say. */
public interface Status {
    /** Who we are, in statuses that several controllers write. */
    String CONTROLLER = "parley.io/gateway-controller";

    /** The whole of it: what others wrote stays, and times stay where nothing changed. */
    ObjectNode after(ObjectNode earlier, Instant now);
}
