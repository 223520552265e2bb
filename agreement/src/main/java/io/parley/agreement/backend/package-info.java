/** Agreement 5: the protocol in which a gateway speaks to a port of a backend, as that port, a list or the route has it. */
@NullMarked
package io.parley.agreement.backend;

import org.jspecify.annotations.NullMarked;
