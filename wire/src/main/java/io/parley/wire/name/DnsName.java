package io.parley.wire.name;

/** Host names as RFC 1123 section 2.1 writes them, underscores allowed as service discovery uses them (RFC 2782). */
public final class DnsName {
    private static final int MAX_NAME = 253;
    private static final int MAX_LABEL = 63;

    private DnsName() {}

    /** True for dot-separated labels of letters, digits, {@code -} and {@code _}; one final dot is allowed. */
    public static boolean isValid(String name) {
        String labels = name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
        if (labels.isEmpty() || labels.length() > MAX_NAME) {
            return false;
        }
        int start = 0;
        for (int i = 0; i <= labels.length(); i++) {
            if (i == labels.length() || labels.charAt(i) == '.') {
                if (i == start || i - start > MAX_LABEL || labels.charAt(start) == '-' || labels.charAt(i - 1) == '-') {
                    return false;
                }
                start = i + 1;
            } else if (!isLabelCharacter(labels.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isLabelCharacter(char c) {
        return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || ('0' <= c && c <= '9') || c == '-' || c == '_';
    }
}
