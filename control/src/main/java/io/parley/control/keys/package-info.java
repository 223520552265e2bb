/** The control plane's own secrets: what signs tokens and certificates, sealed in the store, and files that only its user reads. */
@NullMarked
package io.parley.control.keys;

import org.jspecify.annotations.NullMarked;
