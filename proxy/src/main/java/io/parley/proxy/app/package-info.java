/** The proxy as a program: started from a file, followed while it changes, stopped without cutting anything off. */
@NullMarked
package io.parley.proxy.app;

import org.jspecify.annotations.NullMarked;
