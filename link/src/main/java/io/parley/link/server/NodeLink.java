package io.parley.link.server;

import io.parley.agreement.version.NodeDescription;
import io.parley.link.Link;
import io.parley.link.auth.NodePrincipal;

/**
 * A connected node, as the services that it agreed to see it.
 *
 * @param node as it described itself, the id being the one of the URL if the message had none
 */
public record NodeLink(Link link, NodePrincipal principal, NodeDescription node) {}
