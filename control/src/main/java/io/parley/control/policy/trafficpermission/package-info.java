/** MeshTrafficPermission: who may call whom. */
@NullMarked
package io.parley.control.policy.trafficpermission;

import org.jspecify.annotations.NullMarked;
