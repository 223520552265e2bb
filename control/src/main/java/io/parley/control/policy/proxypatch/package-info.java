/** MeshProxyPatch: changes to what was generated. */
@NullMarked
package io.parley.control.policy.proxypatch;

import org.jspecify.annotations.NullMarked;
