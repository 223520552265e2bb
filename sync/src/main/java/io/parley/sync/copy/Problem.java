package io.parley.sync.copy;

/** Why something that a peer sent was not taken. */
public record Problem(String name, String because) {
    @Override
    public String toString() {
        return name + ": " + because;
    }
}
