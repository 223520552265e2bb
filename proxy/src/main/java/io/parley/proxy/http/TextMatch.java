package io.parley.proxy.http;

import com.google.re2j.Pattern;

/** Which texts. */
public sealed interface TextMatch {
    /** Whether this text is one of them. */
    boolean matches(String text);

    /** Any text at all. */
    record Present() implements TextMatch {
        @Override
        public boolean matches(String text) {
            return true;
        }
    }

    /** This text. */
    record Exact(String value) implements TextMatch {
        @Override
        public boolean matches(String text) {
            return text.equals(value);
        }
    }

    /** This text, in capitals or not. */
    record ExactIgnoringCase(String value) implements TextMatch {
        @Override
        public boolean matches(String text) {
            return text.equalsIgnoreCase(value);
        }
    }

    /** Texts that begin so. */
    record Prefix(String value) implements TextMatch {
        @Override
        public boolean matches(String text) {
            return text.startsWith(value);
        }
    }

    /** This media type alone, with a suffix ({@code +proto}) or with parameters; not one whose name goes on. */
    record MediaType(String value) implements TextMatch {
        /** The one of gRPC. That of gRPC-Web, which is HTTP with bodies of its own, only begins like it. */
        public static final MediaType GRPC = new MediaType("application/grpc");

        @Override
        public boolean matches(String text) {
            return text.startsWith(value)
                    && (text.length() == value.length() || "+; \t".indexOf(text.charAt(value.length())) >= 0);
        }
    }

    /** Texts that end so. */
    record Suffix(String value) implements TextMatch {
        @Override
        public boolean matches(String text) {
            return text.endsWith(value);
        }
    }

    /** Texts in which this occurs. */
    record Contains(String value) implements TextMatch {
        @Override
        public boolean matches(String text) {
            return text.contains(value);
        }
    }

    /** Texts that match as a whole, in time linear in their length. */
    record Regex(Pattern pattern) implements TextMatch {
        @Override
        public boolean matches(String text) {
            return pattern.matches(text);
        }
    }

    /** Whole numbers from {@code start} to before {@code end}. */
    record Range(long start, long end) implements TextMatch {
        @Override
        public boolean matches(String text) {
            try {
                long number = Long.parseLong(text);
                return start <= number && number < end;
            } catch (NumberFormatException e) {
                return false;
            }
        }
    }
}
