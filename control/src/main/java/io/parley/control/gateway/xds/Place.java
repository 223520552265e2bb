package io.parley.control.gateway.xds;

import io.parley.control.gateway.attach.ListenerProtocol;

/** Where requests come in, as far as it shows in answers. */
record Place(ListenerProtocol protocol, int port) {}
