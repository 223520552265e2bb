package io.parley.control.insight;

/** What nodes say goes into the store only in part: they may say as much as a frame holds. */
final class Texts {
    private static final int MAX = 500;

    private Texts() {}

    static String cut(String text) {
        return text.length() <= MAX ? text : text.substring(0, MAX) + "…";
    }
}
