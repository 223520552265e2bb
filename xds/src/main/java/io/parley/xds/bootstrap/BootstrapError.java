package io.parley.xds.bootstrap;

import java.util.List;

/** One thing that is wrong with a bootstrap. */
public sealed interface BootstrapError {
    /** Where in the document; empty if it is about the whole of it. */
    String path();

    /** What was found there. */
    String found();

    /** What belongs there. */
    String expected();

    /** All of it in one line, for people. */
    default String message() {
        String text = found() + " (expected: " + expected() + ")";
        return path().isEmpty() ? text : path() + ": " + text;
    }

    /** Neither a file nor the environment gives a bootstrap. */
    record NoSource() implements BootstrapError {
        @Override
        public String path() {
            return "";
        }

        @Override
        public String found() {
            return "no bootstrap";
        }

        @Override
        public String expected() {
            return "a file, or " + BootstrapSource.FILE_VARIABLE + " with its path, or "
                    + BootstrapSource.INLINE_VARIABLE + " with its text";
        }
    }

    /** The file cannot be read. */
    record Unreadable(String file, String reason) implements BootstrapError {
        @Override
        public String path() {
            return "";
        }

        @Override
        public String found() {
            return file + " cannot be read, " + reason;
        }

        @Override
        public String expected() {
            return "a readable file";
        }
    }

    /** The text is longer than any sensible bootstrap. */
    record TooLarge(int limit) implements BootstrapError {
        @Override
        public String path() {
            return "";
        }

        @Override
        public String found() {
            return "more than " + limit + " bytes";
        }

        @Override
        public String expected() {
            return "at most " + limit + " bytes";
        }
    }

    /** The text is not JSON, or nested beyond reason, or has a field twice. */
    record NotJson(String reason) implements BootstrapError {
        @Override
        public String path() {
            return "";
        }

        @Override
        public String found() {
            return reason;
        }

        @Override
        public String expected() {
            return "one JSON object";
        }
    }

    /** A required field is not there. */
    record Missing(String path, String expected) implements BootstrapError {
        @Override
        public String found() {
            return "missing";
        }
    }

    /** A field has another JSON type. */
    record WrongType(String path, String expected, String found) implements BootstrapError {}

    /** A list that must not be is empty. */
    record Empty(String path, String expected) implements BootstrapError {
        @Override
        public String found() {
            return "empty";
        }
    }

    /** A field of the right type has a value that cannot be meant. */
    record BadValue(String path, String expected, String found) implements BootstrapError {}

    /** No entry of a list of credentials is of a type that is known here. */
    record NoSupportedCredentials(String path, List<String> types, List<String> supported) implements BootstrapError {
        public NoSupportedCredentials {
            types = List.copyOf(types);
            supported = List.copyOf(supported);
        }

        @Override
        public String found() {
            return "types " + types;
        }

        @Override
        public String expected() {
            return "one of " + supported;
        }
    }
}
