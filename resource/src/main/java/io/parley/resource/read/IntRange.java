package io.parley.resource.read;

/** The whole numbers from lowest to highest, both included. */
public record IntRange(int lowest, int highest) {
    public static final IntRange PORT = new IntRange(1, 65535);
    public static final IntRange ABOVE_ZERO = new IntRange(1, Integer.MAX_VALUE);
    public static final IntRange NOT_NEGATIVE = new IntRange(0, Integer.MAX_VALUE);
    public static final IntRange PERCENT = new IntRange(0, 100);
    public static final IntRange HTTP_STATUS = new IntRange(100, 599);

    boolean contains(long number) {
        return lowest <= number && number <= highest;
    }

    @Override
    public String toString() {
        return highest == Integer.MAX_VALUE
                ? "a whole number of at least " + lowest
                : "a whole number from " + lowest + " to " + highest;
    }
}
