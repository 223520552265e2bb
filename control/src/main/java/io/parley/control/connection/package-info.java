/** What connections of strangers may cost the ports of a control plane: how many there are, how long they may think, what they may send for nothing. */
@NullMarked
package io.parley.control.connection;

import org.jspecify.annotations.NullMarked;
