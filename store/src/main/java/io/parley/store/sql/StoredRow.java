package io.parley.store.sql;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.parley.resource.Document;
import io.parley.resource.Form;
import io.parley.resource.KindId;
import io.parley.resource.Resource;
import io.parley.resource.ResourceKey;
import io.parley.store.Event;
import io.parley.store.Revision;
import io.parley.store.Stored;
import io.parley.store.engine.Weight;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The columns that the table of resources and the table of events share, in one order for reading and writing. */
final class StoredRow {
    /** All columns but those of the key: form first, which an event of a deletion leaves null. */
    static final String BODY =
            "form, labels, annotations, spec, status, owner_kind, owner_space, owner_name, created, modified,"
                    + " generation";

    static final String COLUMNS = "kind, space, name, revision, weight, " + BODY;
    static final int COUNT = 16;
    static final String MARKS = "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?";

    private static final JsonMapper JSON = new JsonMapper();
    private static final TypeReference<LinkedHashMap<String, String>> TEXTS = new TypeReference<>() {};

    private StoredRow() {}

    static int bindKey(PreparedStatement statement, int at, ResourceKey key) throws SQLException {
        statement.setString(at, key.kind().value());
        statement.setString(at + 1, key.space());
        statement.setString(at + 2, key.name());
        return at + 3;
    }

    static void bind(PreparedStatement statement, int first, Stored stored) throws SQLException {
        Resource resource = stored.resource();
        ResourceKey owner = stored.owner();
        Document status = resource.status();
        int at = bindKey(statement, first, stored.key());
        statement.setLong(at++, stored.revision().number());
        statement.setLong(at++, Weight.of(stored));
        statement.setString(at++, resource.form().name());
        statement.setString(at++, write(resource.labels()));
        statement.setString(at++, write(resource.annotations()));
        statement.setString(at++, resource.spec().json());
        statement.setString(at++, status == null ? null : status.json());
        statement.setString(at++, owner == null ? null : owner.kind().value());
        statement.setString(at++, owner == null ? null : owner.space());
        statement.setString(at++, owner == null ? null : owner.name());
        statement.setLong(at++, stored.created().toEpochMilli());
        statement.setLong(at++, stored.modified().toEpochMilli());
        statement.setLong(at, stored.generation());
    }

    /** Binds what an event of a deletion has: a key and a revision. */
    static void bindDeleted(PreparedStatement statement, int first, Event.Deleted deleted) throws SQLException {
        int at = bindKey(statement, first, deleted.key());
        statement.setLong(at++, deleted.revision().number());
        statement.setLong(at++, Weight.of(deleted));
        for (; at < first + COUNT - 3; at++) {
            statement.setNull(at, Types.VARCHAR);
        }
        statement.setNull(at++, Types.BIGINT);
        statement.setNull(at++, Types.BIGINT);
        statement.setNull(at, Types.BIGINT);
    }

    static ResourceKey key(ResultSet row, int at) throws SQLException {
        return new ResourceKey(new KindId(row.getString(at)), row.getString(at + 1), row.getString(at + 2));
    }

    static Event event(ResultSet row, int first) throws SQLException {
        return row.getString(first + 5) == null
                ? new Event.Deleted(key(row, first), new Revision(row.getLong(first + 3)))
                : new Event.Written(read(row, first));
    }

    static Stored read(ResultSet row, int first) throws SQLException {
        String status = row.getString(first + 9);
        var resource = new Resource(
                key(row, first),
                Form.valueOf(row.getString(first + 5)),
                readTexts(row.getString(first + 6)),
                readTexts(row.getString(first + 7)),
                new Document(row.getString(first + 8)),
                status == null ? null : new Document(status));
        return new Stored(
                resource,
                new Revision(row.getLong(first + 3)),
                row.getLong(first + 15),
                owner(row, first + 10),
                Instant.ofEpochMilli(row.getLong(first + 13)),
                Instant.ofEpochMilli(row.getLong(first + 14)));
    }

    private static @Nullable ResourceKey owner(ResultSet row, int at) throws SQLException {
        return row.getString(at) == null ? null : key(row, at);
    }

    private static String write(Map<String, String> texts) {
        try {
            return texts.isEmpty() ? "{}" : JSON.writeValueAsString(texts);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a map of texts could not be written", e);
        }
    }

    private static Map<String, String> readTexts(String json) {
        try {
            return json.equals("{}") ? Map.of() : JSON.readValue(json, TEXTS);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("not a JSON object of texts: " + json, e);
        }
    }
}
