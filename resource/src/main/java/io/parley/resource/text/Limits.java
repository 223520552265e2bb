package io.parley.resource.text;

/** What a stranger's text may cost at most. Each is far above what people write and far below what hurts. */
public final class Limits {
    public static final int BYTES = 3 * 1024 * 1024;
    public static final int YAML_DEPTH = 50;
    public static final int JSON_DEPTH = 100;
    public static final int ALIASES = 50;

    /** Values in all documents together, each alias counted as what it stands for: the answer to a billion laughs. */
    static final int NODES = 500_000;

    /** Of YAML: the parser's time grows with the square of it. */
    static final int LINE_LENGTH = 1024 * 1024;

    static final int NUMBER_LENGTH = 100;

    private Limits() {}
}
