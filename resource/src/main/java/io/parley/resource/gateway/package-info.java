/** What objects of the Gateway API say. What no gateway could make sense of is refused; what this one cannot do is a condition. */
@NullMarked
package io.parley.resource.gateway;

import org.jspecify.annotations.NullMarked;
