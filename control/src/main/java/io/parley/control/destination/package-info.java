/** The destination service: the same model, for proxies that ask for one destination at a time. */
@NullMarked
package io.parley.control.destination;

import org.jspecify.annotations.NullMarked;
