/** Why things are as they are: the chain of decisions behind a connection or a setting, each with its resource, field and rule. */
@NullMarked
package io.parley.control.explain;

import org.jspecify.annotations.NullMarked;
