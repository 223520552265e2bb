/** The Autobahn suite's WebSocket cases, through our proxy and without it. */
@NullMarked
package io.parley.bench.autobahn;

import org.jspecify.annotations.NullMarked;
