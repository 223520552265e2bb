/** What a proxy costs, beside HAProxy and nginx: processor time for the same work, round by round in turn. */
@NullMarked
package io.parley.bench.proxy;

import org.jspecify.annotations.NullMarked;
