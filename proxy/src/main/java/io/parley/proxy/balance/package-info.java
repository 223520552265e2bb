/** Which endpoint gets the next connection, and which gets none for a while. */
@NullMarked
package io.parley.proxy.balance;

import org.jspecify.annotations.NullMarked;
