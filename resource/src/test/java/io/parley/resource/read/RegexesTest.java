package io.parley.resource.read;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** No expression of a stranger may cost a server or a proxy its memory or its stack. */
final class RegexesTest {
    private static final List<String> ATOMS = words("""
        a b ab . ^ $ \\b \\. \\d \\pL \\p{Greek} \\x{41} \\012 [a-z] [^a] []a] [a\\]] [[:alpha:])] [({] [{2}] \\( \\) \\[ \\{ \
        { } {,3} {02} \\Q({2}\\E \\Q\\E \\Qa () (?:) (?i) (?s-i) (?i:k) | ä 𝄞 - : < ] ,
        """);
    private static final List<String> REPETITIONS =
            words("* + ? *? {0} {0,} {1} {1,} {2} {3,} {2,5} {0,4} {7}? {1,1} {0,0} (?i){3} \\Q\\E{3}");
    private static final List<String> OPENINGS = words("( (?: (?i: (?P<n> (?<m> (?-s:");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/((a{1000,}){1000,}){1000,}",
                "/(a{1000,}){1000,}",
                "((a{1,1000}){1,1000}){1,1000}",
                "((((a{100}){100}){100}){100})",
                "a{1000}(?i){1000}(?i){1000}",
                "a{1000}\\Q\\E{1000}",
                "(\\){1000}){1000}",
                "([)]{1000}){1000}",
                "([]){1000}]{1000}){1000}",
                "((){1000}){1000}",
                "(?:(?:|){1000}){1000}",
                "((a{1000}){1000}){1000}){1000}){1000}){1000}){1000}){1000}"
            })
    void whatWouldGrowIsRefusedBeforeItIsCompiled(String expression) {
        assertThat(Regexes.fault(expression)).contains("at most 10000 instructions");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {"( x ) 2000", "(?: a ?b) 1000", "( x{0,1000}b ?) 300"})
    void whatIsNestedTooDeepIsRefusedBeforeItIsCompiled(String open, String middle, String close, int times) {
        assertThat(Regexes.fault(open.repeat(times) + middle + close.repeat(times)))
                .contains("nested less deep");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v[0-9]+/.*",
                "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
                "([a-z0-9-]{1,63}\\.){1,8}example\\.com",
                "a{0,500}",
                "a{1000}",
                "\\x{1000}\\x{2000}\\x{1000}",
                "a\\Q{1000}{1000}\\E[{1000}{1000}]{03}{,1000}",
                "(a|b{2,3}|)*"
            })
    void whatPeopleWriteIsTaken(String expression) {
        assertThat(Regexes.fault(expression)).isNull();
    }

    @Test
    void saysWhatIsWrong() {
        assertThat(Regexes.fault("(a")).isEqualTo("a regular expression of RE2 syntax: missing closing )");
        assertThat(Regexes.fault("(a)\\1")).contains("invalid escape sequence");
    }

    @Test
    void theDeepestThatIsTakenLeavesHalfOfAnOrdinaryStack() throws InterruptedException {
        String deepest = "(".repeat(15) + "x{0,500}" + ")".repeat(15);
        Throwable[] thrown = new Throwable[1];
        AtomicReference<@Nullable String> fault = new AtomicReference<>("not asked");
        Thread thread = new Thread(null, () -> fault.set(Regexes.fault(deepest)), "small", 512 * 1024);
        thread.setUncaughtExceptionHandler((_, e) -> thrown[0] = e);
        thread.start();
        thread.join();
        assertThat(thrown[0]).isNull();
        assertThat(fault.get()).isNull();
    }

    @RepeatedTest(20)
    void noProgramIsLargerThanItsEstimate() {
        long seed = new Random().nextLong();
        RandomGenerator random = new Random(seed);
        for (int i = 0; i < 2_000; i++) {
            String expression = expression(random, 3);
            if (RegexSize.of(expression).instructions() > 1_000_000) {
                continue;
            }
            int compiled = compiled(expression);
            assertThat(RegexSize.of(expression).instructions())
                    .as("estimate of %s, seed %d", expression, seed)
                    .isGreaterThanOrEqualTo(compiled);
        }
    }

    /** 0 for what RE2 does not take. */
    private static int compiled(String expression) {
        try {
            return Pattern.compile(expression).programSize();
        } catch (PatternSyntaxException _) {
            return 0;
        }
    }

    private static String expression(RandomGenerator random, int depth) {
        StringBuilder text = new StringBuilder();
        for (int parts = random.nextInt(1, 4); parts > 0; parts--) {
            boolean nested = depth > 0 && random.nextInt(3) > 0;
            text.append(nested ? any(OPENINGS, random) + expression(random, depth - 1) + ")" : any(ATOMS, random));
            text.append(random.nextBoolean() ? any(REPETITIONS, random) : "");
        }
        return text.toString();
    }

    private static String any(List<String> texts, RandomGenerator random) {
        return texts.get(random.nextInt(texts.size()));
    }

    private static List<String> words(String text) {
        return List.of(text.strip().split(" "));
    }
}
