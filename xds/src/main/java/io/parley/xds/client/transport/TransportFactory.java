package io.parley.xds.client.transport;

import io.parley.xds.bootstrap.XdsServer;

/** Makes the connection to a server of the bootstrap file. */
public interface TransportFactory {
    Transport connect(XdsServer server);
}
