package io.parley.resource.text;

import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.ScalarEvent;
import org.yaml.snakeyaml.parser.Parser;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.reader.StreamReader;

/**
 * Reads question marks as YAML 1.2 and Kubernetes have them: one with something beside it is a part of a text, be it in braces or not. SnakeYAML takes each
 * one in braces and brackets for the sign of a key, so that it refuses {@code {path: /a?b}} and reads {@code [?a]} as a list of an object. What must not be
 * taken for a sign is therefore read as another character, and told as what it is.
 */
public final class QuestionMarks implements Parser {
    /** Of those for private use, which no manifest has. */
    private static final char STAND_IN = '\uE000';

    private static final String BEFORE_A_SIGN = " \t\r\n[{,";
    private static final String BEHIND_A_SIGN = " \t\r\n[]{},";

    private final Parser parser;

    private QuestionMarks(Parser parser) {
        this.parser = parser;
    }

    /** A parser whose marks are of the text as it is. */
    public static Parser parserOf(String text, LoaderOptions options) {
        if (text.indexOf('?') < 0 || text.indexOf(STAND_IN) >= 0) {
            return new ParserImpl(new StreamReader(text), options);
        }
        return new QuestionMarks(new ParserImpl(new StreamReader(withoutTexts(text)), options));
    }

    private static String withoutTexts(String text) {
        StringBuilder result = new StringBuilder(text);
        for (int at = text.indexOf('?'); at >= 0; at = text.indexOf('?', at + 1)) {
            boolean begins = at == 0 || BEFORE_A_SIGN.indexOf(text.charAt(at - 1)) >= 0;
            boolean ends = at == text.length() - 1 || BEHIND_A_SIGN.indexOf(text.charAt(at + 1)) >= 0;
            if (!begins || !ends) {
                result.setCharAt(at, STAND_IN);
            }
        }
        return result.toString();
    }

    private static Event told(Event event) {
        if (!(event instanceof ScalarEvent scalar) || scalar.getValue().indexOf(STAND_IN) < 0) {
            return event;
        }
        return new ScalarEvent(
                scalar.getAnchor(),
                scalar.getTag(),
                scalar.getImplicit(),
                scalar.getValue().replace(STAND_IN, '?'),
                scalar.getStartMark(),
                scalar.getEndMark(),
                scalar.getScalarStyle());
    }

    @Override
    public boolean checkEvent(Event.ID choice) {
        return parser.checkEvent(choice);
    }

    @Override
    public Event peekEvent() {
        return told(parser.peekEvent());
    }

    @Override
    public Event getEvent() {
        return told(parser.getEvent());
    }
}
