/** What a proxy is told to do, as immutable values; every source of configuration ends in the same ones. */
@NullMarked
package io.parley.proxy.config;

import org.jspecify.annotations.NullMarked;
