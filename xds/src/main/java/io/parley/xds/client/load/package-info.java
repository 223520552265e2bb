/** Load reporting: counting calls, and telling the server that asked for the counts. */
@NullMarked
package io.parley.xds.client.load;

import org.jspecify.annotations.NullMarked;
