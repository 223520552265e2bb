/** What a zone and the global control plane agree on: the version they speak, who owns which resource, and what it is called where. */
@NullMarked
package io.parley.agreement.sync;

import org.jspecify.annotations.NullMarked;
