/** Gateway API objects in, the configuration of gateways and the truth about the objects out; only what a change touches is redone. */
@NullMarked
package io.parley.control.gateway;

import org.jspecify.annotations.NullMarked;
