/** Questions that are put to endpoints again and again, and what their answers mean for the endpoint. */
@NullMarked
package io.parley.proxy.health;

import org.jspecify.annotations.NullMarked;
