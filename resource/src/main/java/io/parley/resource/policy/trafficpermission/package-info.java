/** MeshTrafficPermission: who may call whom. */
@NullMarked
package io.parley.resource.policy.trafficpermission;

import org.jspecify.annotations.NullMarked;
