package io.parley.proxy.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What continues a trace, and what does not. */
class TraceContextTest {
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String SOUND = "00-" + TRACE + "-b7ad6b7169203331-01";

    @Test
    void readsAndWritesTheSame() {
        assertThat(TraceContext.parse(SOUND))
                .isNotNull()
                .hasToString(SOUND)
                .returns(TRACE, TraceContext::trace)
                .returns(true, TraceContext::isSampled);
        assertThat(TraceContext.parse(SOUND.replaceFirst("01$", "00")))
                .isNotNull()
                .returns(false, TraceContext::isSampled);
    }

    @Test
    void aLaterVersionIsReadAsFarAsItIsKnown() {
        assertThat(TraceContext.parse("cc" + SOUND.substring(2))).isNotNull();
        assertThat(TraceContext.parse("cc" + SOUND.substring(2) + "-what-is-new"))
                .isNotNull();
        assertThat(TraceContext.parse("cc" + SOUND.substring(2) + ".what")).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "00",
                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331",
                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-1",
                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more",
                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01 ",
                "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                "00-0AF7651916CD43DD8448EB211C80319C-B7AD6B7169203331-01",
                "00-00000000000000000000000000000000-b7ad6b7169203331-01",
                "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
                "00-0af7651916cd43dd8448eb211c80319g-b7ad6b7169203331-01",
                "00_0af7651916cd43dd8448eb211c80319c_b7ad6b7169203331_01",
                "00--af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                "00-\u0660af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01,00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
            })
    void whatIsNotAsItMustBeContinuesNothing(String text) {
        assertThat(TraceContext.parse(text)).isNull();
    }

    @Test
    void aChildHasTheSameTraceAndAnotherSpan() {
        TraceContext above = Objects.requireNonNull(TraceContext.parse(SOUND.replaceFirst("01$", "ff")));
        TraceContext child = above.child(new SplittableRandom(1));
        assertThat(child.trace()).isEqualTo(TRACE);
        assertThat(child.span()).isNotEqualTo(above.span()).isNotZero();
        assertThat(child.toString()).endsWith("-01");
    }

    @Test
    void whatBeginsHereCanBeReadElsewhere() {
        SplittableRandom chance = new SplittableRandom(7);
        for (int i = 0; i < 1_000; i++) {
            TraceContext begun = TraceContext.begin(chance, i % 2 == 0);
            assertThat(TraceContext.parse(begun.toString())).isEqualTo(begun);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a=1",
                "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE",
                "a=1 , b=2",
                "a=1,\tb=2,,",
                "fw529a3039@dt=FfAAAA",
                "a*b-c/d_e= x y",
                "0tenant@system=1"
            })
    void stateInTheFormThatItMustHaveIsPassedOn(String text) {
        assertThat(TraceState.isValid(text)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ",",
                "a",
                "a=",
                "=1",
                "A=1",
                "a=1,a=2",
                "a=b=c",
                "a =1",
                "a=1\u0000",
                "a=\u00e4",
                "0a=1",
                "a@0b=1",
                "a=1;b=2,c"
            })
    void otherStateIsLeftOut(String text) {
        assertThat(TraceState.isValid(text)).isFalse();
    }

    @Test
    void stateHasNoMoreThan32Members() {
        assertThat(TraceState.isValid(members(32))).isTrue();
        assertThat(TraceState.isValid(members(33))).isFalse();
        assertThat(TraceState.isValid("a=" + "x".repeat(256))).isTrue();
        assertThat(TraceState.isValid("a=" + "x".repeat(257))).isFalse();
    }

    private static String members(int count) {
        return IntStream.range(0, count).mapToObj(i -> "k" + i + "=v").collect(Collectors.joining(","));
    }
}
