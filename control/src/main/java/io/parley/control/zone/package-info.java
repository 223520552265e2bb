/** What a zone does for the others: says which services they can reach through its ingresses. */
@NullMarked
package io.parley.control.zone;

import org.jspecify.annotations.NullMarked;
