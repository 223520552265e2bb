package io.parley.cli.command;

import io.parley.control.app.HostPort;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Where to listen. The parser adds the name of the option to what is wrong with it. */
final class AddressConverter implements ITypeConverter<HostPort> {
    @Override
    public HostPort convert(String text) {
        try {
            HostPort parsed = HostPort.parse(text);
            parsed.address();
            return parsed;
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
