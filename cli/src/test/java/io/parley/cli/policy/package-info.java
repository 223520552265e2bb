/** What policies do to real traffic: through two proxies that a control plane configures. */
@NullMarked
package io.parley.cli.policy;

import org.jspecify.annotations.NullMarked;
