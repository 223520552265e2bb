package io.parley.control.api;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.QueryParams;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.parley.resource.Resource;
import io.parley.resource.manifest.ManifestWriter;
import io.parley.resource.manifest.ServerFields;
import io.parley.store.Page;
import io.parley.store.Stored;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Resources as answers. Documents are copied as text: a list of ten thousand is written without parsing one. */
final class ResourceAnswers {
    private static final JsonFactory JSON = new JsonFactory();

    /** Writes the body of an answer. */
    private interface Body {
        void writeTo(JsonGenerator json) throws IOException;
    }

    private ResourceAnswers() {}

    static HttpResponse one(HttpStatus status, Stored stored) {
        ResponseHeaders headers = ResponseHeaders.builder(status)
                .contentType(MediaType.JSON_UTF_8)
                .set(HttpHeaderNames.ETAG, Preconditions.entityTag(stored.revision()))
                .build();
        return HttpResponse.of(
                headers, bytes(json -> ManifestWriter.write(stored.resource(), serverFields(stored), json)));
    }

    /** What would be stored. */
    static HttpResponse unstored(Resource resource) {
        return HttpResponse.of(
                HttpStatus.OK,
                MediaType.JSON_UTF_8,
                bytes(json -> ManifestWriter.write(resource, ServerFields.NONE, json)));
    }

    static HttpResponse page(Page page, ResourcePath.Many path, ServiceRequestContext context) {
        return HttpResponse.of(HttpStatus.OK, MediaType.JSON_UTF_8, bytes(json -> {
            json.writeStartObject();
            json.writeNumberField("total", page.total());
            json.writeArrayFieldStart("items");
            for (Stored stored : page.items()) {
                ManifestWriter.write(stored.resource(), serverFields(stored), json);
            }
            json.writeEndArray();
            if (page.next() != null) {
                QueryParams next = context.queryParams().toBuilder()
                        .set("offset", page.next().token())
                        .build();
                json.writeStringField("next", context.path() + "?" + next.toQueryString());
            } else {
                json.writeNullField("next");
            }
            json.writeEndObject();
        }));
    }

    private static ServerFields serverFields(Stored stored) {
        return new ServerFields(stored.revision().toString(), stored.generation(), stored.created(), stored.modified());
    }

    private static HttpData bytes(Body body) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(1024);
        try (JsonGenerator json = JSON.createGenerator(out)) {
            body.writeTo(json);
        } catch (IOException e) {
            throw new UncheckedIOException("memory cannot be written to", e);
        }
        return HttpData.wrap(out.toByteArray());
    }
}
