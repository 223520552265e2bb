package io.parley.resource.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BigIntegerNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.regex.Pattern;

/**
 * What a YAML scalar without quotes means: the core schema of YAML 1.2 (section 10.3.2), so {@code on}, {@code yes} and
 * {@code 12:30} are text. Where YAML 1.1 and 1.2 read a number differently, or JSON has no such value, it is refused.
 * See docs/decisions/0010-yaml-schema.md.
 */
final class CoreSchema {
    private static final Pattern DECIMAL = Pattern.compile("[-+]?(0|[1-9][0-9]*+)");
    private static final Pattern OCTAL = Pattern.compile("0o[0-7]+");
    private static final Pattern HEXADECIMAL = Pattern.compile("0x[0-9a-fA-F]+");
    private static final Pattern LEADING_ZERO = Pattern.compile("[-+]?0[0-9]++(\\.[0-9]*+)?+");
    private static final Pattern FLOAT =
            Pattern.compile("[-+]?(\\.[0-9]++|[0-9]++(\\.[0-9]*+)?+)([eE][-+]?[0-9]{1,9})?+");
    private static final Pattern NOT_FINITE = Pattern.compile("[-+]?\\.(inf|Inf|INF)|\\.(nan|NaN|NAN)");

    private CoreSchema() {}

    static JsonNode resolve(String scalar, Position at) {
        return switch (scalar) {
            case "", "~", "null", "Null", "NULL" -> NullNode.instance;
            case "true", "True", "TRUE" -> BooleanNode.TRUE;
            case "false", "False", "FALSE" -> BooleanNode.FALSE;
            default -> looksNumeric(scalar) ? number(scalar, at) : TextNode.valueOf(scalar);
        };
    }

    /** Whether the text means something else when it is written without quotes. */
    static boolean needsQuotes(String text) {
        try {
            return !resolve(text, new Position(1, 1)).isTextual();
        } catch (TextFault _) {
            return true;
        }
    }

    private static boolean looksNumeric(String scalar) {
        char first = scalar.charAt(0);
        return ('0' <= first && first <= '9') || first == '-' || first == '+' || first == '.';
    }

    private static JsonNode number(String scalar, Position at) {
        if (NOT_FINITE.matcher(scalar).matches()) {
            throw TextFault.ofDocument(scalar + " (expected: a finite number, or quotes for text)", at);
        }
        if (LEADING_ZERO.matcher(scalar).matches()) {
            throw TextFault.ofDocument(
                    scalar + " (expected: no leading zero, which some programs read as octal; write 0o… or use quotes)",
                    at);
        }
        boolean decimal = DECIMAL.matcher(scalar).matches();
        boolean other =
                OCTAL.matcher(scalar).matches() || HEXADECIMAL.matcher(scalar).matches();
        boolean fraction = FLOAT.matcher(scalar).matches();
        if (!decimal && !other && !fraction) {
            return TextNode.valueOf(scalar);
        }
        if (scalar.length() > Limits.NUMBER_LENGTH) {
            throw TextFault.ofDocument(
                    "a number of " + scalar.length() + " digits (expected: at most " + Limits.NUMBER_LENGTH
                            + ", or quotes for text)",
                    at);
        }
        if (other) {
            return integer(new BigInteger(scalar.substring(2), scalar.charAt(1) == 'o' ? 8 : 16));
        }
        return decimal ? integer(new BigInteger(scalar)) : DecimalNode.valueOf(new BigDecimal(scalar));
    }

    private static JsonNode integer(BigInteger value) {
        if (value.bitLength() < Integer.SIZE) {
            return IntNode.valueOf(value.intValue());
        }
        return value.bitLength() < Long.SIZE ? LongNode.valueOf(value.longValue()) : BigIntegerNode.valueOf(value);
    }
}
