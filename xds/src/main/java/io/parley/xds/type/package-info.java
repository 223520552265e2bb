/** The resource types of xDS and what each is called in each version of the API. */
@NullMarked
package io.parley.xds.type;

import org.jspecify.annotations.NullMarked;
