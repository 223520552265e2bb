/** The folder in which a control plane keeps its data: one process has it at a time, whatever store it uses. */
@NullMarked
package io.parley.store.folder;

import org.jspecify.annotations.NullMarked;
