/** The one port that machines speak to: links of data planes and xDS streams, authenticated and served from snapshots. */
@NullMarked
package io.parley.control.serve;

import org.jspecify.annotations.NullMarked;
