package io.parley.cli.command;

import io.parley.control.app.StoreChoice;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Which store. The parser adds the name of the option to what is wrong with it, and never shows a password. */
final class StoreConverter implements ITypeConverter<StoreChoice> {
    @Override
    public StoreChoice convert(String text) {
        try {
            return StoreChoice.parse(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
