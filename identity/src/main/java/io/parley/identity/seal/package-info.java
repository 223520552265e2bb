/** Secrets at rest: sealed by a key that lives outside the store. */
@NullMarked
package io.parley.identity.seal;

import org.jspecify.annotations.NullMarked;
