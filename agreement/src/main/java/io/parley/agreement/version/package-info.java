/** Which versions a side supports, and which one two sides speak. */
@NullMarked
package io.parley.agreement.version;

import org.jspecify.annotations.NullMarked;
