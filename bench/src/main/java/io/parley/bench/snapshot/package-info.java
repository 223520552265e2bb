/** What one change costs a mesh of hundreds and of thousands of proxies. */
@NullMarked
package io.parley.bench.snapshot;

import org.jspecify.annotations.NullMarked;
