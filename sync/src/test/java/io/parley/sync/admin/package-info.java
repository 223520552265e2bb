/** Questions and answers about proxies. */
@NullMarked
package io.parley.sync.admin;

import org.jspecify.annotations.NullMarked;
