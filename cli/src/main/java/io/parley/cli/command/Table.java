package io.parley.cli.command;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Rows for people: columns as wide as their widest cell, the header in capitals. */
final class Table {
    private static final int GAP = 3;

    private final List<List<String>> rows = new ArrayList<>();
    private final int columns;

    Table(String... header) {
        columns = header.length;
        rows.add(List.of(header));
    }

    void add(String... cells) {
        if (cells.length != columns) {
            throw new IllegalArgumentException(cells.length + " cells (expected: " + columns + ")");
        }
        rows.add(Arrays.stream(cells).map(Table::printable).toList());
    }

    /** Without what would move the cursor or change colours: much of what is shown was written by strangers. */
    static String printable(String text) {
        return text.chars()
                .map(c -> Character.isISOControl(c) ? ' ' : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    void print(PrintWriter out) {
        int[] widths = new int[columns];
        for (List<String> row : rows) {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < columns; i++) {
                line.append(row.get(i));
                if (i < columns - 1) {
                    line.repeat(' ', widths[i] - row.get(i).length() + GAP);
                }
            }
            out.println(line.toString().stripTrailing());
        }
    }
}
