/** Our server against clients that others wrote, each a process of its own with the libraries of its time. */
@NullMarked
package io.parley.xds.server.interop;

import org.jspecify.annotations.NullMarked;
