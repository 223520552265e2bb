/** A mesh as it is declared: pure values, indexed, each change a new value that shares what did not change. */
@NullMarked
package io.parley.control.model;

import org.jspecify.annotations.NullMarked;
