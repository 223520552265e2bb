/** The page on which a proxy tells people and machines how it is. */
@NullMarked
package io.parley.proxy.admin;

import org.jspecify.annotations.NullMarked;
