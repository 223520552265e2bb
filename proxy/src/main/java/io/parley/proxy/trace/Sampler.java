package io.parley.proxy.trace;

import io.parley.proxy.trace.TraceConfig.Sampling;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Decides how a request goes on in its trace. */
public final class Sampler {
    private static final String ASKED_FOR = "x-client-trace-id";

    private Sampler() {}

    /**
     * What becomes of the context that a request came with.
     *
     * @param context of this proxy's span, or of the one above if this one makes none
     * @param parent the number of the span above; 0 if the trace begins here
     * @param state whether {@code tracestate} may be passed on
     */
    public record Decision(TraceContext context, long parent, boolean state) {
        /** Whether this proxy makes a span. */
        public boolean isRecorded() {
            return context.isSampled();
        }

        /** Whether the server is to see the fields as they came. */
        public boolean leavesFieldsAlone() {
            return !isRecorded() && parent != 0 && state;
        }
    }

    /**
     * Decides about a request.
     *
     * @param field all values of a field by its name in lower case, joined by commas; null if there is none
     */
    public static Decision decide(Function<String, @Nullable String> field, Sampling sampling, RandomGenerator chance) {
        TraceContext above = TraceContext.parse(field.apply(TraceContext.FIELD));
        if (above == null) {
            return new Decision(TraceContext.begin(chance, isChosen(field, sampling, chance)), 0, false);
        }
        String state = field.apply(TraceContext.STATE);
        boolean sound = state == null || TraceState.isValid(state);
        return new Decision(above.isSampled() ? above.child(chance) : above, above.span(), sound);
    }

    private static boolean isChosen(
            Function<String, @Nullable String> field, Sampling sampling, RandomGenerator chance) {
        boolean asked = sampling.client() > 0 && field.apply(ASKED_FOR) != null && isIn(sampling.client(), chance);
        return (asked || isIn(sampling.random(), chance)) && isIn(sampling.overall(), chance);
    }

    private static boolean isIn(int share, RandomGenerator chance) {
        return share >= Sampling.ALL || (share > 0 && chance.nextInt(Sampling.ALL) < share);
    }
}
