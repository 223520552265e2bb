/** From the model to what each proxy is to have: made once, shared by content, and made again only where something it rests on changed. */
@NullMarked
package io.parley.control.snapshot;

import org.jspecify.annotations.NullMarked;
