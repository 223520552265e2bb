/** The fields of a document turned into values, with every fault noted together with its path. */
@NullMarked
package io.parley.resource.read;

import org.jspecify.annotations.NullMarked;
