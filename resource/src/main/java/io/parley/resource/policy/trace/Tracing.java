package io.parley.resource.policy.trace;

import io.parley.resource.policy.Headers;
import io.parley.resource.read.Field;
import io.parley.resource.read.Fields;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a MeshTrace sets.
 *
 * @param backend where traces go; null turns tracing off
 */
public record Tracing(@Nullable Backend backend, @Nullable Sampling sampling, List<Tag> tags) {
    /** Shares of requests that are traced; null for all. */
    public record Sampling(
            @Nullable BigDecimal overall,
            @Nullable BigDecimal client,
            @Nullable BigDecimal random) {}

    /** Something that is added to a trace. */
    public sealed interface Tag {
        String name();
    }

    /** Always the same. */
    public record LiteralTag(String name, String value) implements Tag {}

    /** Taken from a header of the request. */
    public record HeaderTag(
            String name, String header, @Nullable String absent) implements Tag {}

    public Tracing {
        tags = List.copyOf(tags);
    }

    static Tracing read(Fields fields) {
        Field field = fields.at("backends");
        List<Backend> backends = field.objects(Backend::read);
        if (!field.isPresent()) {
            field.fail("missing (expected: a list of one backend, or empty to turn tracing off)");
        } else if (backends.size() > 1) {
            field.fail(backends.size() + " backends (expected: none or one)");
        }
        return new Tracing(
                backends.isEmpty() ? null : backends.getFirst(),
                fields.at("sampling")
                        .object(sampling -> new Sampling(
                                sampling.at("overall").percentage(),
                                sampling.at("client").percentage(),
                                sampling.at("random").percentage())),
                fields.at("tags").objects(Tracing::tag));
    }

    private static Tag tag(Fields fields) {
        var _ = fields.needOneOf("literal", "header");
        String name = fields.at("name").requireText();
        String literal = fields.at("literal").text("text that is not empty", text -> !text.isEmpty());
        HeaderTag header = fields.at("header")
                .object(from -> new HeaderTag(
                        name, Headers.name(from.at("name")), from.at("default").text()));
        return header == null ? new LiteralTag(name, literal == null ? "" : literal) : header;
    }
}
