/** Who a zone is: proven by a token, never by what it claims. */
@NullMarked
package io.parley.sync.auth;

import org.jspecify.annotations.NullMarked;
