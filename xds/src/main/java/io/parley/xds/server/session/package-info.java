/**
 * The xDS protocol as state machines: what a client asked for, what it has, what it must be told next. No I/O, no threads, no clock: a
 * request or a snapshot goes in, a response comes out.
 */
@NullMarked
package io.parley.xds.server.session;

import org.jspecify.annotations.NullMarked;
