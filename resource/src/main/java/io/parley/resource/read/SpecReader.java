package io.parley.resource.read;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.parley.resource.Document;
import io.parley.resource.Result;
import java.util.function.Function;

/** Knows what the document of one kind means. */
public final class SpecReader<S> {
    private final Dialect dialect;
    private final Function<Fields, S> reader;

    private SpecReader(Dialect dialect, Function<Fields, S> reader) {
        this.dialect = dialect;
        this.reader = reader;
    }

    /** For kinds whose field names stand as they are. */
    public static <S> SpecReader<S> of(Function<Fields, S> reader) {
        return new SpecReader<>(Dialect.PLAIN, reader);
    }

    /** For kinds that are protobuf messages elsewhere. */
    public static <S> SpecReader<S> ofProtobuf(Function<Fields, S> reader) {
        return new SpecReader<>(Dialect.PROTOBUF, reader);
    }

    /** For kinds that we keep and do not interpret: only the names at the top are looked at. */
    public static SpecReader<ObjectNode> ofNames(String... names) {
        return ofProtobuf(fields -> {
            fields.ignore(names);
            return fields.tree();
        });
    }

    /** Reads what a stranger wrote. */
    public Result<S> read(ObjectNode spec, Path path) {
        return read(spec, path, new Faults());
    }

    /** Notes what is wrong with it and leaves it at that. */
    public void check(ObjectNode spec, Path path, Faults faults) {
        var _ = Fields.read(spec, path, dialect, faults, reader);
    }

    /** Reads what a store holds. It was let in by some release of this program, maybe a newer one: fields that we do not know are skipped. */
    public Result<S> read(Document spec) {
        return readStored(spec.tree());
    }

    /** The same, of what was put together from what a store holds. */
    public Result<S> readStored(ObjectNode spec) {
        return read(spec, Path.ROOT, Faults.exceptUnknownFields());
    }

    private Result<S> read(ObjectNode spec, Path path, Faults faults) {
        S value = Fields.read(spec, path, dialect, faults, reader);
        return faults.isEmpty() ? new Result.Accepted<>(value) : new Result.Rejected<>(faults.found());
    }
}
