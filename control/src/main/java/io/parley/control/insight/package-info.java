/** What is known of data planes that are or were connected, written down as DataplaneInsight resources. */
@NullMarked
package io.parley.control.insight;

import org.jspecify.annotations.NullMarked;
