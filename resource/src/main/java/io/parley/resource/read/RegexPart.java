package io.parley.resource.read;

/**
 * What a part of a regular expression becomes in RE2.
 *
 * @param instructions at most how many instructions
 * @param height at most how deep RE2 calls itself when it compiles the part
 */
record RegexPart(long instructions, long height) {
    static final RegexPart NOTHING = new RegexPart(0, 0);
    static final RegexPart CHARACTER = new RegexPart(1, 1);

    // Far above every limit, and its product with the longest count is still a long.
    private static final long ENDLESS = 1L << 31;

    RegexPart {
        instructions = Math.min(instructions, ENDLESS);
        height = Math.min(height, ENDLESS);
    }

    RegexPart and(RegexPart next) {
        return new RegexPart(instructions + next.instructions, Math.max(height, next.height));
    }

    /** An empty branch is an instruction that does nothing. */
    RegexPart orEmpty() {
        return instructions == 0 ? CHARACTER : this;
    }

    /** A group is a choice of chains, and what it captures is noted at both its ends. */
    RegexPart within(int captures) {
        return new RegexPart(instructions + captures, height + 3);
    }

    /** {@code x{least,}}: x x x+, or two more instructions than x for {@code (x+)?}. */
    RegexPart repeated(long least) {
        return new RegexPart(Math.max(1, least) * instructions + 2, height + 3);
    }

    /** {@code x{least,most}}: x x (x(x)?)?, with each question mark in the one before it. */
    RegexPart repeated(long least, long most) {
        long optional = Math.max(0, most - least);
        return new RegexPart(most * instructions + optional, height + 2 * optional + 1).orEmpty();
    }
}
