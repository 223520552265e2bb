package io.parley.proxy.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.parley.proxy.trace.TraceConfig.Sampling;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which requests are traced. */
class SamplerTest {
    private static final String SAMPLED = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    private static final String IGNORED = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00";
    private static final Sampling NOTHING = new Sampling(Sampling.ALL, 0, 0);

    private final SplittableRandom chance = new SplittableRandom(3);

    private Sampler.Decision decide(Sampling sampling, Map<String, String> fields) {
        return Sampler.decide(fields::get, sampling, chance);
    }

    private long recorded(Sampling sampling, Map<String, String> fields) {
        return IntStream.range(0, 10_000)
                .filter(_ -> decide(sampling, fields).isRecorded())
                .count();
    }

    @Test
    void whatTheOneBeforeDecidedHolds() {
        Sampler.Decision child = decide(NOTHING, Map.of("traceparent", SAMPLED, "tracestate", "a=1"));
        assertThat(child.isRecorded()).isTrue();
        assertThat(child.parent()).isEqualTo(0xb7ad6b7169203331L);
        assertThat(child.context().toString())
                .startsWith(SAMPLED.substring(0, 36))
                .isNotEqualTo(SAMPLED);
        assertThat(child.state()).isTrue();
        Sampler.Decision ignored = decide(Sampling.EVERYTHING, Map.of("traceparent", IGNORED));
        assertThat(ignored.isRecorded()).isFalse();
        assertThat(ignored.leavesFieldsAlone()).isTrue();
    }

    @Test
    void aBadContextBeginsANewTraceAndItsStateIsLeftOut() {
        Sampler.Decision fresh = decide(Sampling.EVERYTHING, Map.of("traceparent", SAMPLED + "x", "tracestate", "a=1"));
        assertThat(fresh.isRecorded()).isTrue();
        assertThat(fresh.parent()).isZero();
        assertThat(fresh.state()).isFalse();
        assertThat(fresh.context().trace()).isNotEqualTo(SAMPLED.substring(3, 35));
    }

    @Test
    void badStateIsLeftOutAndTheTraceGoesOn() {
        Sampler.Decision ignored = decide(NOTHING, Map.of("traceparent", IGNORED, "tracestate", "A=1"));
        assertThat(ignored.leavesFieldsAlone()).isFalse();
        assertThat(ignored.context()).hasToString(IGNORED);
        assertThat(ignored.state()).isFalse();
    }

    @Test
    void sharesAreDrawn() {
        Map<String, String> asked = Map.of("x-client-trace-id", "me");
        assertThat(recorded(new Sampling(Sampling.ALL, Sampling.ALL, 100_000), Map.of()))
                .isBetween(800L, 1_200L);
        assertThat(recorded(new Sampling(500_000, Sampling.ALL, 0), asked)).isBetween(4_700L, 5_300L);
        assertThat(recorded(new Sampling(Sampling.ALL, Sampling.ALL, 0), Map.of()))
                .isZero();
        assertThat(recorded(new Sampling(0, Sampling.ALL, Sampling.ALL), asked)).isZero();
        assertThat(recorded(Sampling.EVERYTHING, Map.of())).isEqualTo(10_000);
    }
}
