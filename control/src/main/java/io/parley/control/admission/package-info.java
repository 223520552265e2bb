/** What must hold between resources before one is stored or deleted. */
@NullMarked
package io.parley.control.admission;

import org.jspecify.annotations.NullMarked;
