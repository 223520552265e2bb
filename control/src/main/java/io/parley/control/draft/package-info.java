/** What is being made for one proxy: Envoy messages that are not finished yet, which policies change one after the other. */
@NullMarked
package io.parley.control.draft;

import org.jspecify.annotations.NullMarked;
