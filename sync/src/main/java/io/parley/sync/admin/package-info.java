/** What the global control plane asks a zone about its proxies, and what the zone answers. */
@NullMarked
package io.parley.sync.admin;

import org.jspecify.annotations.NullMarked;
