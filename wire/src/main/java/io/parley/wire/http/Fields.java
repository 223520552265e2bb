package io.parley.wire.http;

import io.netty.util.AsciiString;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.StringJoiner;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a head or of trailers in their order, pseudo-fields first. A list, as few heads have more than twenty of them: to look
 * through it costs less than to make a table of it. How many there may be is for whoever reads them to limit.
 */
public final class Fields implements Iterable<Field> {
    public static final AsciiString METHOD = AsciiString.cached(":method");
    public static final AsciiString SCHEME = AsciiString.cached(":scheme");
    public static final AsciiString AUTHORITY = AsciiString.cached(":authority");
    public static final AsciiString PATH = AsciiString.cached(":path");
    public static final AsciiString PROTOCOL = AsciiString.cached(":protocol");
    public static final AsciiString STATUS = AsciiString.cached(":status");

    private static final int USUAL = 16;

    private Field[] fields;
    private int size;
    private int pseudo;

    public Fields() {
        this(USUAL);
    }

    public Fields(int expected) {
        fields = new Field[expected];
    }

    public static Fields copyOf(Fields other) {
        Fields copy = new Fields(other.size + 4);
        System.arraycopy(other.fields, 0, copy.fields, 0, other.size);
        copy.size = other.size;
        copy.pseudo = other.pseudo;
        return copy;
    }

    public int size() {
        return size;
    }

    public Field at(int index) {
        if (index >= size) {
            throw new IndexOutOfBoundsException(index);
        }
        return fields[index];
    }

    private int indexOf(AsciiString name) {
        for (int i = 0; i < size; i++) {
            if (fields[i].is(name)) {
                return i;
            }
        }
        return -1;
    }

    public boolean contains(AsciiString name) {
        return indexOf(name) >= 0;
    }

    /** The first value; null if there is none. */
    public @Nullable AsciiString value(AsciiString name) {
        int at = indexOf(name);
        return at < 0 ? null : fields[at].value();
    }

    public List<AsciiString> values(AsciiString name) {
        List<AsciiString> values = new ArrayList<>(1);
        for (int i = 0; i < size; i++) {
            if (fields[i].is(name)) {
                values.add(fields[i].value());
            }
        }
        return values;
    }

    /** All values as one text; null if there is none. */
    public @Nullable String joined(String name) {
        String first = null;
        StringJoiner all = null;
        for (int i = 0; i < size; i++) {
            if (!fields[i].name().contentEquals(name)) {
                continue;
            }
            String value = fields[i].value().toString();
            if (first == null) {
                first = value;
            } else {
                all = (all == null ? new StringJoiner(separator(name)).add(first) : all).add(value);
            }
        }
        return all == null ? first : all.toString();
    }

    /** What stands between the values of a field that are written as one (RFC 9110 5.3; of cookies RFC 9113 8.2.3). */
    public static String separator(String name) {
        return name.equals("cookie") ? "; " : ",";
    }

    public Fields add(AsciiString name, AsciiString value) {
        return add(Field.of(name, value));
    }

    public Fields add(Field field) {
        if (size == fields.length) {
            fields = Arrays.copyOf(fields, 2 * size + 1);
        }
        if (field.isPseudo()) {
            if (pseudo < size) {
                System.arraycopy(fields, pseudo, fields, pseudo + 1, size - pseudo);
            }
            fields[pseudo++] = field;
        } else {
            fields[size] = field;
        }
        size++;
        return this;
    }

    /** Puts this value in the place of the first one, if there is one, and removes the others. */
    public Fields set(AsciiString name, AsciiString value) {
        int at = indexOf(name);
        if (at < 0) {
            return add(name, value);
        }
        fields[at] = Field.of(name, value);
        removeFrom(at + 1, name::contentEquals);
        return this;
    }

    public boolean remove(AsciiString name) {
        int at = indexOf(name);
        return at >= 0 && removeFrom(at, name::contentEquals);
    }

    /** Removes the fields with such names; whether there were any. */
    public boolean removeIf(Predicate<AsciiString> name) {
        return removeFrom(0, name);
    }

    private boolean removeFrom(int start, Predicate<AsciiString> name) {
        int kept = start;
        for (int i = start; i < size; i++) {
            if (!name.test(fields[i].name())) {
                fields[kept++] = fields[i];
            }
        }
        boolean changed = kept < size;
        Arrays.fill(fields, kept, size, null);
        size = kept;
        pseudo = countPseudo();
        return changed;
    }

    private int countPseudo() {
        int count = 0;
        while (count < size && fields[count].isPseudo()) {
            count++;
        }
        return count;
    }

    public @Nullable AsciiString method() {
        return value(METHOD);
    }

    public @Nullable AsciiString scheme() {
        return value(SCHEME);
    }

    public @Nullable AsciiString authority() {
        return value(AUTHORITY);
    }

    public @Nullable AsciiString path() {
        return value(PATH);
    }

    /** What an extended CONNECT asks for (RFC 8441). */
    public @Nullable AsciiString protocol() {
        return value(PROTOCOL);
    }

    public @Nullable AsciiString status() {
        return value(STATUS);
    }

    @Override
    public Iterator<Field> iterator() {
        return new Iterator<>() {
            private int next;

            @Override
            public boolean hasNext() {
                return next < size;
            }

            @Override
            public Field next() {
                if (next >= size) {
                    throw new NoSuchElementException();
                }
                return fields[next++];
            }
        };
    }

    /** For people; secrets are among it. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        forEach(field ->
                text.append(field.name()).append(": ").append(field.value()).append('\n'));
        return text.toString();
    }
}
