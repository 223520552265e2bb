package io.parley.control.api;

import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.parley.control.access.Action;
import io.parley.control.admission.Admission;
import io.parley.control.admission.Refusal;
import io.parley.resource.KindId;
import io.parley.resource.Resource;
import io.parley.resource.ResourceKey;
import io.parley.resource.kind.Kind;
import io.parley.store.Expected;
import io.parley.store.Outcome;
import io.parley.store.Page;
import io.parley.store.ResourceStore;
import io.parley.store.Stored;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads and writes resources of every kind: {@code GET}, {@code PUT} and {@code DELETE} on the paths of {@link ResourcePath}. */
final class ResourceEndpoint {
    private static final Logger AUDIT = LoggerFactory.getLogger("audit");
    private static final Set<KindId> SECRETS =
            Set.of(new KindId("Secret"), new KindId("GlobalSecret"), new KindId("core/Secret"));
    /** Tells an update from a write that changed nothing, which have the same status. */
    private static final String OUTCOME_HEADER = "parley-outcome";

    private static final String DRY_RUN = "dryRun";
    private static final String ASSUMED_MESH = "assumeMesh";

    private final ResourceStore store;
    private final Admission admission;

    ResourceEndpoint(ResourceStore store, Admission admission) {
        this.store = store;
        this.admission = admission;
    }

    HttpResponse handle(ServiceRequestContext context, AggregatedHttpRequest request) {
        ResourcePath path = ResourcePath.parse(context.path())
                .orElseThrow(() -> Problem.notFound("path: " + context.path()
                                + " (expected: a kind that GET /api lists, by the path given there)")
                        .asException());
        return switch (request.method()) {
            case GET, HEAD -> read(context, path);
            case PUT -> put(context, one(path), request);
            case DELETE -> delete(context, one(path), request);
            default ->
                throw Problem.of(
                                HttpStatus.METHOD_NOT_ALLOWED,
                                "method",
                                "Not this way",
                                "method: " + request.method() + " (expected: GET, PUT or DELETE)")
                        .asException();
        };
    }

    private HttpResponse read(ServiceRequestContext context, ResourcePath path) {
        Authentication.require(context, isSecret(path.kind()) ? Action.READ_SECRET : Action.READ);
        return switch (path) {
            case ResourcePath.One(Kind _, ResourceKey key) -> {
                Stored stored = require(key);
                yield ResourceAnswers.one(HttpStatus.OK, seesKeys(context) ? stored : HiddenKeys.in(stored));
            }
            case ResourcePath.Many many -> {
                Page page = ListRequest.read(context, many).in(store);
                yield ResourceAnswers.page(seesKeys(context) ? page : HiddenKeys.in(page), many, context);
            }
        };
    }

    private HttpResponse put(ServiceRequestContext context, ResourceKey key, AggregatedHttpRequest request) {
        Authentication.require(context, Action.WRITE);
        Resource resource = ManifestBody.read(request, key);
        Expected expected = Preconditions.of(request.headers());
        admission.refusalOfPut(resource, assumedMeshes(context)).ifPresent(ResourceEndpoint::refuse);
        if (isDryRun(context)) {
            return ResourceAnswers.unstored(resource);
        }
        Outcome.Kept outcome = admission.put(resource, expected);
        AUDIT.info("{} put {}: {}", Authentication.caller(context).fullName(), key, word(outcome));
        HttpStatus status = outcome instanceof Outcome.Created ? HttpStatus.CREATED : HttpStatus.OK;
        return ResourceAnswers.one(status, outcome.stored())
                .mapHeaders(headers ->
                        headers.toBuilder().set(OUTCOME_HEADER, word(outcome)).build());
    }

    private HttpResponse delete(ServiceRequestContext context, ResourceKey key, AggregatedHttpRequest request) {
        Authentication.require(context, Action.WRITE);
        Expected expected = Preconditions.of(request.headers());
        admission.refusalOfDelete(key).ifPresent(ResourceEndpoint::refuse);
        if (isDryRun(context)) {
            return ResourceAnswers.one(HttpStatus.OK, require(key));
        }
        return switch (admission.delete(key, expected)) {
            case Outcome.Missing _ -> throw missing(key);
            case Outcome.Deleted(Stored last) -> {
                AUDIT.info("{} deleted {}", Authentication.caller(context).fullName(), key);
                yield ResourceAnswers.one(HttpStatus.OK, last);
            }
        };
    }

    private Stored require(ResourceKey key) {
        Optional<Stored> found = store.find(key);
        return found.orElseThrow(() -> missing(key));
    }

    private static ResourceKey one(ResourcePath path) {
        return switch (path) {
            case ResourcePath.One(Kind _, ResourceKey key) -> key;
            case ResourcePath.Many _ ->
                throw Problem.of(
                                HttpStatus.METHOD_NOT_ALLOWED,
                                "method",
                                "Not this way",
                                "a list can only be read (expected: the path of one resource, ending in its name)")
                        .asException();
        };
    }

    private static void refuse(Refusal refusal) {
        throw switch (refusal) {
            case Refusal.Invalid invalid ->
                Problem.invalid(invalid.key() + " does not fit what is there.", List.of(invalid.violation()))
                        .asException();
            case Refusal.ReadOnly readOnly ->
                Problem.of(
                                HttpStatus.FORBIDDEN,
                                "read-only",
                                "This is not yours to write",
                                readOnly.key() + ": " + readOnly.reason())
                        .asException();
            case Refusal.InUse inUse ->
                Problem.of(
                                HttpStatus.CONFLICT,
                                "in-use",
                                "Something still needs it",
                                inUse.key() + ": " + inUse.reason())
                        .asException();
        };
    }

    private static ProblemException missing(ResourceKey key) {
        return Problem.notFound("There is no " + key + ".").asException();
    }

    private static boolean isSecret(Kind kind) {
        return SECRETS.contains(kind.id());
    }

    private static boolean seesKeys(ServiceRequestContext context) {
        return Action.READ_SECRET.isAllowedTo(Authentication.caller(context));
    }

    private static boolean isDryRun(ServiceRequestContext context) {
        return Boolean.parseBoolean(context.queryParam(DRY_RUN));
    }

    /** Meshes that the caller says will be there: what is tried out together may depend on each other. */
    private static Set<String> assumedMeshes(ServiceRequestContext context) {
        return isDryRun(context) ? Set.copyOf(context.queryParams().getAll(ASSUMED_MESH)) : Set.of();
    }

    private static String word(Outcome.Kept outcome) {
        return switch (outcome) {
            case Outcome.Created _ -> "created";
            case Outcome.Updated _ -> "updated";
            case Outcome.Unchanged _ -> "unchanged";
        };
    }
}
