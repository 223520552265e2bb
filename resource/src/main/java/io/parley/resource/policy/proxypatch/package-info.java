/** MeshProxyPatch: changes to the generated proxy configuration. */
@NullMarked
package io.parley.resource.policy.proxypatch;

import org.jspecify.annotations.NullMarked;
