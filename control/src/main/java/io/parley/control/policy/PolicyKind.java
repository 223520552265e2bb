package io.parley.control.policy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.parley.resource.KindId;
import io.parley.resource.Result;
import io.parley.resource.policy.ProxyPolicy;
import io.parley.resource.policy.TrafficPolicy;
import io.parley.resource.read.SpecReader;
import java.util.List;
import java.util.function.Function;

/**
 * A kind of policy.
 *
 * @param reader what merged settings mean. They are read as a policy for the whole mesh would be, so that a combination of two
 *     good policies that is not good itself is noticed
 */
public record PolicyKind<C>(KindId id, Function<ObjectNode, Result<C>> reader) {
    /** One about what is sent, and perhaps also about what is received. */
    public static <C> PolicyKind<C> traffic(String kind, SpecReader<TrafficPolicy<C>> reader) {
        return of(kind, "to", reader, TrafficPolicy::to);
    }

    /** One about what is received only. */
    public static <C> PolicyKind<C> incoming(String kind, SpecReader<TrafficPolicy<C>> reader) {
        return of(kind, "from", reader, TrafficPolicy::from);
    }

    /** One about the proxy as such. */
    public static <C> PolicyKind<C> proxy(String kind, SpecReader<ProxyPolicy<C>> reader) {
        return new PolicyKind<>(new KindId(kind), conf -> {
            ObjectNode spec = JsonNodeFactory.instance.objectNode();
            spec.set("default", conf);
            return map(reader.readStored(spec), ProxyPolicy::conf);
        });
    }

    private static <C> PolicyKind<C> of(
            String kind,
            String section,
            SpecReader<TrafficPolicy<C>> reader,
            Function<TrafficPolicy<C>, List<TrafficPolicy.Item<C>>> items) {
        return new PolicyKind<>(new KindId(kind), conf -> {
            ObjectNode spec = JsonNodeFactory.instance.objectNode();
            ObjectNode item = spec.putArray(section).addObject();
            item.putObject("targetRef").put("kind", "Mesh");
            item.set("default", conf);
            return map(
                    reader.readStored(spec),
                    policy -> items.apply(policy).getFirst().conf());
        });
    }

    private static <T, R> Result<R> map(Result<T> result, Function<T, R> change) {
        return switch (result) {
            case Result.Accepted<T>(T value) -> new Result.Accepted<>(change.apply(value));
            case Result.Rejected<T>(var violations) -> new Result.Rejected<>(violations);
        };
    }
}
