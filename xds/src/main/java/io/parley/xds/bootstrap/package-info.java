/** The bootstrap file: which xDS servers a client talks to, as whom, with which credentials, and in which version. */
@NullMarked
package io.parley.xds.bootstrap;

import org.jspecify.annotations.NullMarked;
