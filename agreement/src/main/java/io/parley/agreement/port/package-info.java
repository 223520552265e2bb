/** Ports, sets of ports kept as intervals, and the one grammar in which people write lists of them. */
@NullMarked
package io.parley.agreement.port;

import org.jspecify.annotations.NullMarked;
