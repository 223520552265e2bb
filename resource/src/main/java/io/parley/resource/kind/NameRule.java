package io.parley.resource.kind;

import java.util.regex.Pattern;

/** What names of a kind look like. */
public enum NameRule {
    /** RFC 1123: what Kubernetes takes for most kinds. */
    SUBDOMAIN(
            253,
            "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*",
            "lower case letters, digits, '-' and '.'"),
    /** The same, but it becomes the value of a label, which is shorter. */
    MESH(
            63,
            "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*",
            "lower case letters, digits, '-' and '.'"),
    /** RFC 1123 label: a namespace of Kubernetes. */
    NAMESPACE(63, "[a-z0-9]([-a-z0-9]*[a-z0-9])?", "lower case letters, digits and '-'"),
    /** RFC 1035 label: it becomes part of host names. */
    ZONE(63, "[a-z]([-a-z0-9]*[a-z0-9])?", "lower case letters, digits and '-', a letter first");

    private final int longest;
    private final Pattern pattern;
    private final String letters;

    NameRule(int longest, String pattern, String letters) {
        this.longest = longest;
        this.pattern = Pattern.compile(pattern);
        this.letters = letters;
    }

    public boolean accepts(String name) {
        return name.length() <= longest && pattern.matcher(name).matches();
    }

    /** How many characters a name may have. */
    public int longest() {
        return longest;
    }

    @Override
    public String toString() {
        return "a name of at most " + longest + " " + letters + ", with a letter or digit at both ends";
    }
}
