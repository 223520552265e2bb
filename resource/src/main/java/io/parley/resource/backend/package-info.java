/** BackendProtocol: which protocols the ports of a Service take. */
@NullMarked
package io.parley.resource.backend;

import org.jspecify.annotations.NullMarked;
