/** The methods and headers of zone synchronisation, by the names that peers know. */
@NullMarked
package io.parley.sync.grpc;

import org.jspecify.annotations.NullMarked;
