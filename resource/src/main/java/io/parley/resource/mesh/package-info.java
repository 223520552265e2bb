/** What a mesh is made of: meshes, proxies, zones and the ways in and out of them. */
@NullMarked
package io.parley.resource.mesh;

import org.jspecify.annotations.NullMarked;
