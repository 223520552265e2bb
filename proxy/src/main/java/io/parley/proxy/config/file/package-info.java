/** A proxy's configuration out of a YAML file: strict, and every mistake is reported with its path. */
@NullMarked
package io.parley.proxy.config.file;

import org.jspecify.annotations.NullMarked;
