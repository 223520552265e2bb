/** TCP sockets of event loops on epoll: each told to the kernel once, with no more system calls than their bytes take. */
@NullMarked
package io.parley.proxy.socket;

import org.jspecify.annotations.NullMarked;
