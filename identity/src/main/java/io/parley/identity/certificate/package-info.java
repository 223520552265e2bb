/** Certificates: authorities, SPIFFE names, signing requests, and their text form. */
@NullMarked
package io.parley.identity.certificate;

import org.jspecify.annotations.NullMarked;
