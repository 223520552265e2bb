/** What people declare: resources of a kind, with a name, labels and a document, and what is wrong with them. */
@NullMarked
package io.parley.resource;

import org.jspecify.annotations.NullMarked;
