package io.parley.resource.text;

/** How a text is written. */
public enum Syntax {
    /** Any number of documents; JSON is welcome too, since it is YAML. */
    YAML,
    /** Any number of JSON values one after the other. */
    JSON
}
