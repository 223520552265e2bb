/** The ways on which logs and traces leave the proxy. None of them ever holds up a request. */
@NullMarked
package io.parley.proxy.export;

import org.jspecify.annotations.NullMarked;
