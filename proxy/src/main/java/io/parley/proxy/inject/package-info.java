/** Adds a proxy to the pods of a Kubernetes manifest, and leaves the rest of its text alone. */
@NullMarked
package io.parley.proxy.inject;

import org.jspecify.annotations.NullMarked;
