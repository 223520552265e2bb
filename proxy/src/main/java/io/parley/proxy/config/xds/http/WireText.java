package io.parley.proxy.config.xds.http;

import io.netty.util.AsciiString;
import io.parley.resource.policy.FramingFields;
import io.parley.wire.http.Octets;
import java.util.function.Predicate;

/**
 * Checks what a control plane writes into requests and answers. They are written out as they are: a text that ends a line, or a word of the
 * first one, would make other messages of it. Each returns what it was given.
 */
public final class WireText {
    private static final int LEAST_STATUS = 200;
    private static final int MOST_STATUS = 599;

    private WireText() {}

    /** A path and query, or the beginning of one. */
    public static String path(String text, Problems problems) {
        return require(
                text, Octets::isTarget, "a path: no white space, control character or #, all of ASCII", problems);
    }

    /** A path as a whole, which follows a host. */
    static String wholePath(String text, Problems problems) {
        if (!text.isEmpty() && !text.startsWith("/")) {
            problems.add("", text + " (expected: a path, which begins with /)");
        }
        return path(text, problems);
    }

    /** A host, with or without a port. */
    public static String host(String text, Problems problems) {
        return require(text, Octets::isAuthority, "a host, with or without a port", problems);
    }

    static String scheme(String text, Problems problems) {
        boolean scheme =
                text.chars().allMatch(c -> "+-.".indexOf(c) >= 0 || (c < 0x80 && Character.isLetterOrDigit(c)));
        if (!scheme) {
            problems.add("", text + " (expected: a scheme such as https)");
        }
        return text;
    }

    /** A name of a cookie, a method, or what else is one word. */
    static String token(String text, Problems problems) {
        return require(text, Octets::isToken, "a word of letters, digits and !#$%&'*+-.^_`|~", problems);
    }

    /** A field that may be set to anything. */
    static String field(String name, Problems problems) {
        // What begins with a colon is no field, and the line of a request or an answer is made of it.
        if (FramingFields.has(name)) {
            problems.add("", name + " (expected: a field that does not frame a message)");
        }
        return require(name, Octets::isToken, "the name of a header field", problems);
    }

    static String value(String text, Problems problems) {
        if (!text.chars().allMatch(c -> c <= 0xff && Octets.isValue((byte) c))) {
            problems.add("", "a control character (expected: printable text)");
        }
        return text;
    }

    /** A part of what a cookie is set with, which a semicolon ends. */
    static String cookiePath(String text, Problems problems) {
        if (text.indexOf(';') >= 0) {
            problems.add("", text + " (expected: a path without ;)");
        }
        return path(text, problems);
    }

    /** One of an answer that is the last one: those of the hundreds only announce it. */
    static int status(int status, Problems problems) {
        if (status < LEAST_STATUS || status > MOST_STATUS) {
            problems.add("", Integer.toUnsignedString(status) + " (expected: 200 to 599)");
        }
        return status;
    }

    private static String require(String text, Predicate<AsciiString> fits, String expected, Problems problems) {
        // An AsciiString has a question mark for what it has no byte for.
        if (!text.chars().allMatch(c -> c < 0x80) || !fits.test(new AsciiString(text))) {
            problems.add("", text + " (expected: " + expected + ")");
        }
        return text;
    }
}
