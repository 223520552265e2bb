package io.parley.control.explain;

/**
 * What a question is about.
 *
 * @param step how it was found
 */
record Target(String service, Step step) {}
