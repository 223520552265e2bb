package io.parley.control.api;

import com.linecorp.armeria.common.HttpStatus;
import io.parley.store.Expected;
import io.parley.store.Failure;
import io.parley.store.Revision;
import io.parley.store.StoreException;
import java.util.List;
import java.util.Map;

/** Which problem a failure of another part of the control plane is to the caller. */
final class Problems {
    private Problems() {}

    static Problem of(StoreException e) {
        String detail = e.failure().message();
        return switch (e.failure()) {
            case Failure.Conflict conflict -> conflict(conflict, detail);
            case Failure.OwnerMissing _ ->
                Problem.of(HttpStatus.CONFLICT, "owner-missing", "What it belongs to does not exist", detail);
            case Failure.Unstorable _ ->
                Problem.of(HttpStatus.BAD_REQUEST, "unstorable", "The resource cannot be stored", detail);
            case Failure.Unavailable _, Failure.Unusable _, Failure.Closed _ ->
                Problem.of(
                        HttpStatus.SERVICE_UNAVAILABLE,
                        "store-unavailable",
                        "The store does not answer",
                        detail + "; what was to be written may or may not be there: read it before you try again");
        };
    }

    private static Problem conflict(Failure.Conflict conflict, String detail) {
        return new Problem(
                HttpStatus.CONFLICT,
                "conflict",
                "The resource is not what you expected it to be",
                detail,
                List.of(),
                Map.of("expected", expected(conflict.expected()), "actual", version(conflict.actual())));
    }

    private static Object expected(Expected expected) {
        return switch (expected) {
            case Expected.Exactly(Revision revision) -> revision.number();
            case Expected.Absent _ -> "absent";
            case Expected.Present _ -> "present";
            case Expected.Anything _ -> "anything";
        };
    }

    private static Object version(@org.jspecify.annotations.Nullable Revision revision) {
        return revision == null ? "absent" : revision.number();
    }
}
