package io.parley.resource.policy.httproute;

import io.parley.resource.policy.HeaderModifier;
import io.parley.resource.policy.TargetKind;
import io.parley.resource.policy.TargetRef;
import io.parley.resource.policy.TargetRefs;
import io.parley.resource.read.Choices;
import io.parley.resource.read.Fields;
import io.parley.resource.read.IntRange;
import java.math.BigDecimal;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A change to requests or responses on their way. */
public sealed interface Filter {
    /** Headers on the way there. */
    record RequestHeaders(HeaderModifier modifier) implements Filter {}

    /** Headers on the way back. */
    record ResponseHeaders(HeaderModifier modifier) implements Filter {}

    /** Sends the client elsewhere; null keeps what it asked for. */
    record RequestRedirect(
            @Nullable String scheme,
            @Nullable String hostname,
            @Nullable PathRewrite path,
            @Nullable Integer port,
            int statusCode)
            implements Filter {}

    /** Asks the backend for something else; null keeps what the client asked for. */
    record UrlRewrite(@Nullable String hostname, @Nullable PathRewrite path, boolean hostToBackendHostname)
            implements Filter {}

    /** Sends a share of the requests to somebody else as well. */
    record RequestMirror(@Nullable BigDecimal percentage, TargetRef backendRef) implements Filter {}

    /** Which of them; each word is {@code type}, and with a small first letter the field that holds it. */
    enum Type {
        REQUEST_HEADER_MODIFIER("RequestHeaderModifier", "requestHeaderModifier"),
        RESPONSE_HEADER_MODIFIER("ResponseHeaderModifier", "responseHeaderModifier"),
        REQUEST_REDIRECT("RequestRedirect", "requestRedirect"),
        URL_REWRITE("URLRewrite", "urlRewrite"),
        REQUEST_MIRROR("RequestMirror", "requestMirror");

        private final String word;
        private final String field;

        Type(String word, String field) {
            this.word = word;
            this.field = field;
        }
    }

    /**
     * Reads one.
     *
     * @param byPrefix whether all matches of the route compare the start of the path, which can then be replaced
     */
    static Filter read(Fields fields, TargetRef top, boolean byPrefix) {
        Choices<Type> types = Choices.by(List.of(Type.values()), type -> type.word);
        return fields.requireByType(types, type -> type.field, (type, inner) -> switch (type) {
            case REQUEST_HEADER_MODIFIER -> new RequestHeaders(HeaderModifier.read(inner));
            case RESPONSE_HEADER_MODIFIER -> new ResponseHeaders(HeaderModifier.read(inner));
            case REQUEST_REDIRECT -> redirect(inner, byPrefix);
            case URL_REWRITE -> rewrite(inner, top, byPrefix);
            case REQUEST_MIRROR -> mirror(inner);
        });
    }

    private static RequestRedirect redirect(Fields fields, boolean byPrefix) {
        List<Integer> codes = List.of(301, 302, 303, 307, 308);
        Integer statusCode = fields.at("statusCode").integer(new IntRange(301, 308));
        if (statusCode != null && !codes.contains(statusCode)) {
            fields.fail("statusCode", statusCode + " (expected: one of 301, 302, 303, 307, 308)");
        }
        return new RequestRedirect(
                fields.at("scheme")
                        .text("http or https", text -> Set.of("http", "https").contains(text)),
                PathRewrite.hostname(fields),
                fields.at("path").object(path -> PathRewrite.read(path, byPrefix)),
                fields.at("port").integer(IntRange.PORT),
                statusCode == null ? 302 : statusCode);
    }

    private static UrlRewrite rewrite(Fields fields, TargetRef top, boolean byPrefix) {
        boolean toBackend = fields.at("hostToBackendHostname").flagOr(false);
        if (toBackend && top.kind() != TargetKind.MESH_GATEWAY) {
            fields.fail("hostToBackendHostname", "not allowed here (only a MeshGateway can do it)");
        }
        if (toBackend && fields.has("hostname")) {
            fields.fail("hostToBackendHostname", "not allowed here (hostname says another name)");
        }
        return new UrlRewrite(
                PathRewrite.hostname(fields),
                fields.at("path").object(path -> PathRewrite.read(path, byPrefix)),
                toBackend);
    }

    private static RequestMirror mirror(Fields fields) {
        return new RequestMirror(
                fields.at("percentage").percentage(), fields.at("backendRef").requireObject(ref -> {
                    var _ = ref.at("port").integer(IntRange.PORT);
                    return TargetRefs.read(ref, EnumSet.of(TargetKind.MESH_SERVICE, TargetKind.MESH_SERVICE_SUBSET));
                }));
    }
}
