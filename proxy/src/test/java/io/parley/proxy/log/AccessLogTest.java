package io.parley.proxy.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** A line for whatever happened, and nobody waits for it. */
class AccessLogTest {
    private static final int MORE_THAN_IT_KEEPS = 20_000;

    @Test
    void aLogLineIsOneLineWhateverIsInIt() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("client", "10.0.0.1:80");
        fields.put("detail", "a\nb=\"c\" \u001b[31m");
        fields.put("sent", 5L);
        StringBuilder text = new StringBuilder();
        AccessLog.text(fields, text);
        assertThat(text.toString()).isEqualTo("client=10.0.0.1:80 detail=\"a\\nb=\\\"c\\\" \\u001B[31m\" sent=5");
        assertThat(AccessLog.json(fields))
                .isEqualTo("{\"client\":\"10.0.0.1:80\",\"detail\":\"a\\nb=\\\"c\\\" \\u001B[31m\",\"sent\":5}");
    }

    @Test
    void writesWhatComesAfterARest() {
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        try (AccessLog log = new AccessLog(AccessLog.Format.TEXT, new PrintStream(written, true, UTF_8))) {
            log.log(() -> Map.of("n", 1L));
            await().until(() -> written.toString(UTF_8).equals("n=1" + System.lineSeparator()));
            log.log(() -> Map.of("n", 2L));
            await().until(() -> written.toString(UTF_8).endsWith("n=2" + System.lineSeparator()));
        }
    }

    @Test
    void writesWhatIsLeftBeforeItEnds() {
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        try (AccessLog log = new AccessLog(AccessLog.Format.TEXT, new PrintStream(written, true, UTF_8))) {
            for (long i = 0; i < 2_000; i++) {
                long number = i;
                log.log(() -> Map.of("n", number));
            }
        }
        assertThat(written.toString(UTF_8).lines())
                .hasSize(2_000)
                .startsWith("n=0", "n=1")
                .endsWith("n=1999");
    }

    @Test
    void dropsAndCountsWhatAReaderIsTooSlowFor() {
        CountDownLatch read = new CountDownLatch(1);
        OutputStream stuck = new OutputStream() {
            @Override
            public void write(int one) {
                try {
                    read.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        };
        try (AccessLog log = new AccessLog(AccessLog.Format.TEXT, new PrintStream(stuck, true, UTF_8))) {
            for (int i = 0; i < MORE_THAN_IT_KEEPS; i++) {
                log.log(Map::of);
            }
            assertThat(log.dropped()).isPositive();
            read.countDown();
        }
    }
}
