/** VersionPolicy: which versions of the services between data plane and control plane are on offer, and to whom. */
@NullMarked
package io.parley.resource.version;

import org.jspecify.annotations.NullMarked;
