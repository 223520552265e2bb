/** The REST API: paths to resources, problems to documents, and the server that carries them. */
@NullMarked
package io.parley.control.api;

import org.jspecify.annotations.NullMarked;
