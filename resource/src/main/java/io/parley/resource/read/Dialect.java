package io.parley.resource.read;

/** How strict the original of a kind is about the spelling of its fields. */
public enum Dialect {
    /** Field names as they are; numbers are numbers. */
    PLAIN,
    /** As protobuf's JSON: {@code redirect_port} means {@code redirectPort}, and a number may be written as text. */
    PROTOBUF
}
