/** Resources as people write them: manifests in both forms, read and written. */
@NullMarked
package io.parley.resource.manifest;

import org.jspecify.annotations.NullMarked;
