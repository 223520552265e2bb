package io.parley.resource.text;

/** How much of a text's allowance is left. */
final class Budget {
    private int nodes = Limits.NODES;
    private int aliases = Limits.ALIASES;

    void takeNodes(int count, Position at) {
        nodes -= count;
        if (nodes < 0) {
            throw TextFault.ofText(
                    "too large (expected: at most " + Limits.NODES + " values, aliases written out)", at);
        }
    }

    void takeAlias(Position at) {
        aliases--;
        if (aliases < 0) {
            throw TextFault.ofText("too many aliases (expected: at most " + Limits.ALIASES + ")", at);
        }
    }

    int nodesLeft() {
        return nodes;
    }
}
