/** What was found out about Gateway API objects, as their {@code status} says it. */
@NullMarked
package io.parley.control.gateway.status;

import org.jspecify.annotations.NullMarked;
