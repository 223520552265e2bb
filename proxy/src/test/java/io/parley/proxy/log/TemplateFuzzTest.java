package io.parley.proxy.log;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.parley.proxy.log.Template.Absence;
import io.parley.resource.Result;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/** Whatever a format is, it is refused or written; whatever a client says, it stays on its line. */
class TemplateFuzzTest {
    @FuzzTest
    void isRefusedOrWritten(byte[] input) {
        String text = new String(input, StandardCharsets.ISO_8859_1);
        if (Template.parse(text) instanceof Result.Accepted<Template>(var template)) {
            StringBuilder out = new StringBuilder();
            template.write(entry(template, text), Absence.SHOWN, out);
            long lines = text.chars().filter(c -> c == '\n').count();
            assertThat(out.chars().filter(c -> c == '\n').count()).isLessThanOrEqualTo(lines);
        }
    }

    /** Every field that the format asks for says all of it. */
    private static Entry entry(Template template, String said) {
        Map<String, String> fields = new HashMap<>();
        template.fields(Template.Head.REQUEST).forEach(name -> fields.put(name, said));
        InetSocketAddress address = InetSocketAddress.createUnresolved("host", 1);
        return new Entry(
                Entry.Subject.REQUEST,
                Instant.EPOCH,
                Duration.ZERO,
                null,
                0,
                null,
                0,
                0,
                Entry.From.connection(address),
                address,
                null,
                null,
                null,
                null,
                new Entry.Fields(fields, Map.of()));
    }
}
