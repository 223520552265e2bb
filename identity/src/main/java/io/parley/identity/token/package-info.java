/** Tokens that prove who calls: made by a signing key, checked against all that counts. */
@NullMarked
package io.parley.identity.token;

import org.jspecify.annotations.NullMarked;
