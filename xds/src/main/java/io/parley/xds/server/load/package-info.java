/** The load reporting service: clients tell how much they send where, v2 and v3. */
@NullMarked
package io.parley.xds.server.load;

import org.jspecify.annotations.NullMarked;
