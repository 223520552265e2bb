package io.parley.agreement.version;

/**
 * What a data plane says about itself. Nothing is checked here: it is what arrived. A field that was not sent is empty.
 *
 * @param id unique in the mesh as far as the node can tell
 * @param type the kind of program, {@code KONG} or {@code PARLEY}
 * @param version its release
 * @param hostname for people who debug; may be empty
 */
public record NodeDescription(String id, String type, String version, String hostname) {}
