package io.parley.resource.text;

/** A place in a text, both numbers counted from 1 as editors do. */
public record Position(int line, int column) {
    @Override
    public String toString() {
        return "line " + line + ", column " + column;
    }
}
