/** YAML and JSON text to trees and back, with a limit on everything that a stranger could make large. */
@NullMarked
package io.parley.resource.text;

import org.jspecify.annotations.NullMarked;
