/** What is to be served, as immutable values: resources encoded once and shared by every client, and the cell that says which are current. */
@NullMarked
package io.parley.xds.server.snapshot;

import org.jspecify.annotations.NullMarked;
