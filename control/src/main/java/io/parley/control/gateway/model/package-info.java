/** The objects that gateways are made of, read and indexed; a step gives a new index and says what it touched. */
@NullMarked
package io.parley.control.gateway.model;

import org.jspecify.annotations.NullMarked;
