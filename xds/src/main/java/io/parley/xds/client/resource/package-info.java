/** What a resource on the wire says, in either version of the API: names, wrappers, parsing and checking, without any stream. */
@NullMarked
package io.parley.xds.client.resource;

import org.jspecify.annotations.NullMarked;
