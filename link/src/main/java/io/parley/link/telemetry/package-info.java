/** What a node tells its control plane about itself. */
@NullMarked
package io.parley.link.telemetry;

import org.jspecify.annotations.NullMarked;
