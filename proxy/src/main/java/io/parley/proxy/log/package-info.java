/** What is written of requests and connections where somebody asked for it: its form, and the files and sockets it goes to. */
@NullMarked
package io.parley.proxy.log;

import org.jspecify.annotations.NullMarked;
