/** What a route's references lead to: for each backend how it is spoken to, or why it cannot be, whatever gateway asks. */
@NullMarked
package io.parley.control.gateway.route;

import org.jspecify.annotations.NullMarked;
