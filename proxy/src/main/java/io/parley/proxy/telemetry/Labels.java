package io.parley.proxy.telemetry;

import java.util.List;

/** Label values of one series, in the order of its family's label names. */
record Labels(List<String> values) {
    private static final int MAX_VALUE = 256;

    Labels {
        if (!fit(values)) {
            values = values.stream().map(Labels::bounded).toList();
        }
    }

    /** Asked several times for each connection, so without a stream. */
    private static boolean fit(List<String> values) {
        for (int i = 0; i < values.size(); i++) {
            if (values.get(i).length() > MAX_VALUE) {
                return false;
            }
        }
        return true;
    }

    static Labels of(String... values) {
        return new Labels(List.of(values));
    }

    private static String bounded(String value) {
        return value.length() <= MAX_VALUE ? value : value.substring(0, MAX_VALUE);
    }

    /** {@code {a="1",b="2"}}, without the labels that have no value; {@code extra} is appended as it is. */
    String render(List<String> names, String extra) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < names.size(); i++) {
            if (!values.get(i).isEmpty()) {
                append(out, names.get(i) + "=\"" + escape(values.get(i)) + "\"");
            }
        }
        append(out, extra);
        return out.isEmpty() ? "" : "{" + out + "}";
    }

    private static void append(StringBuilder out, String pair) {
        if (!pair.isEmpty()) {
            out.append(out.isEmpty() ? "" : ",").append(pair);
        }
    }

    private static String escape(String value) {
        return value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }
}
