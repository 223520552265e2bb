/** Several control planes and proxies between them: what is offered in one zone is used in another. */
@NullMarked
package io.parley.cli.zones;

import org.jspecify.annotations.NullMarked;
