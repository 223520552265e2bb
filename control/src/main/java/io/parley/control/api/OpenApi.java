package io.parley.control.api;

import io.parley.control.ProgramVersion;
import io.parley.resource.kind.Author;
import io.parley.resource.kind.Kind;
import io.parley.resource.kind.Kinds;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** {@code GET /openapi.json}: the API in the words of OpenAPI 3.1, made from the list of kinds, so that it cannot be out of date. */
final class OpenApi {
    private static final Map<String, Object> ANY_OBJECT = Map.of("type", "object");
    private static final Map<String, Object> PROBLEM_ANSWER = Map.of(
            "description",
            "What is wrong, with every violation's path",
            "content",
            content("application/problem+json", Map.of("$ref", "#/components/schemas/Problem")));

    private OpenApi() {}

    static Map<String, Object> document() {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("openapi", "3.1.0");
        document.put("info", Map.of("title", "Parley control plane", "version", ProgramVersion.current()));
        document.put("security", List.of(Map.of("token", List.of())));
        document.put("paths", paths());
        document.put("components", components());
        return document;
    }

    private static Map<String, Object> paths() {
        Map<String, Object> paths = new LinkedHashMap<>();
        for (String open : List.of("/healthy", "/ready", "/metrics")) {
            paths.put(open, Map.of("get", openOperation(open.substring(1))));
        }
        paths.put("/api", Map.of("get", operation("listKinds", "Which kinds there are", "Kinds")));
        paths.put("/who-am-i", Map.of("get", operation("whoAmI", "Who the token speaks for", "Caller")));
        for (String subject : List.of("user", "dataplane", "gateway", "zone", "zone-proxy")) {
            paths.put(
                    "/tokens/" + subject,
                    Map.of("post", withBody(operation("issue-" + subject, "Issue a token", "Token"))));
        }
        paths.put(
                "/versions/preview",
                Map.of(
                        "post",
                        withManifest(operation(
                                "previewVersions", "What a VersionPolicy would do to connected nodes", "Preview"))));
        paths.put(
                "/tokens/revocations", Map.of("post", withBody(operation("revoke", "Withdraw a token", "Revocation"))));
        addSigningKeys(paths);
        addExplanations(paths);
        addProxies(paths);
        for (Kind kind : Kinds.all()) {
            addKind(paths, kind);
        }
        return paths;
    }

    private static void addSigningKeys(Map<String, Object> paths) {
        paths.put(
                "/tokens/keys",
                Map.of(
                        "get", operation("listSigningKeys", "Which keys sign tokens", "Answer"),
                        "post", operation("newSigningKey", "Make a key that signs tokens from now on", "Answer")));
        Map<String, Object> retire = operation("retireSigningKey", "Withdraw a key and all its tokens", "Answer");
        retire.put("parameters", parameters(List.of("id"), "path"));
        paths.put("/tokens/keys/{id}", Map.of("delete", retire));
    }

    private static void addExplanations(Map<String, Object> paths) {
        explanation(paths, "/meshes/{mesh}/explain/connection", "Why a connection is as it is", "from", "to");
        explanation(paths, "/meshes/{mesh}/explain/policy", "Which policies act on a proxy", "dataplane", "to");
        explanation(paths, "/explain/backend", "Which protocol a gateway speaks to a backend", "backend", "route");
        explanation(paths, "/inspect/links", "How a zone stands with its global control plane");
        explanation(paths, "/inspect/gateways", "All Gateways and how many proxies each has");
        explanation(paths, "/inspect/meshes", "All meshes");
        explanation(paths, "/meshes/{mesh}/inspect/services", "All services of a mesh");
        explanation(paths, "/meshes/{mesh}/inspect/names", "Host names of services and their addresses");
        explanation(paths, "/meshes/{mesh}/inspect/policies", "All policies of a mesh, and what of them is in force");
    }

    private static void addProxies(Map<String, Object> paths) {
        String proxy = "/meshes/{mesh}/dataplanes/{name}/";
        explanation(paths, proxy + "_config", "What a proxy is to have");
        explanation(paths, proxy + "clusters", "Which clusters and endpoints a proxy is to have");
        explanation(paths, proxy + "stats", "What a proxy counts");
    }

    private static void explanation(Map<String, Object> paths, String path, String summary, String... query) {
        Map<String, Object> operation = operation(path.substring(1).replaceAll("[/{}]+", "-"), summary, "Answer");
        List<String> inPath = Stream.of("mesh", "name")
                .filter(each -> path.contains("{" + each + "}"))
                .toList();
        operation.put(
                "parameters",
                Stream.concat(parameters(inPath, "path").stream(), parameters(List.of(query), "query").stream())
                        .toList());
        paths.put(path, Map.of("get", operation));
    }

    private static void addKind(Map<String, Object> paths, Kind kind) {
        String path = KindList.path(kind);
        List<Object> space = parameters(KindList.spaceParameter(kind), "path");
        Map<String, Object> list = operation("list-" + kind.id(), kind.description(), "List");
        list.put(
                "parameters",
                Stream.concat(space.stream(), parameters(List.of("size", "offset", "label"), "query").stream())
                        .toList());
        paths.put(path, Map.of("get", list));

        Map<String, Object> one = new LinkedHashMap<>();
        List<Object> named = new ArrayList<>(space);
        named.addAll(parameters(List.of("name"), "path"));
        one.put("parameters", named);
        one.put("get", operation("get-" + kind.id(), kind.description(), "Resource"));
        if (kind.author() != Author.CONTROL_PLANE) {
            one.put("put", withDryRun(withManifest(operation("put-" + kind.id(), "Create or replace", "Resource"))));
        }
        one.put("delete", withDryRun(operation("delete-" + kind.id(), "Delete, with all that it owns", "Resource")));
        paths.put(path + "/{name}", one);
    }

    private static Map<String, Object> components() {
        return Map.of(
                "securitySchemes", Map.of("token", Map.of("type", "http", "scheme", "bearer", "bearerFormat", "JWT")),
                "schemas", Map.of("Problem", problemSchema()));
    }

    private static Map<String, Object> problemSchema() {
        Map<String, Object> text = Map.of("type", "string");
        Map<String, Object> violation = Map.of("type", "object", "properties", Map.of("path", text, "message", text));
        return Map.of(
                "type", "object",
                "required", List.of("type", "title", "status"),
                "properties",
                        Map.of(
                                "type", text,
                                "title", text,
                                "status", Map.of("type", "integer"),
                                "detail", text,
                                "violations", Map.of("type", "array", "items", violation)));
    }

    private static Map<String, Object> operation(String id, String summary, String answer) {
        Map<String, Object> operation = new LinkedHashMap<>();
        operation.put("operationId", id);
        operation.put("summary", summary);
        operation.put(
                "responses",
                Map.of(
                        "2XX", Map.of("description", answer, "content", content("application/json", ANY_OBJECT)),
                        "4XX", PROBLEM_ANSWER,
                        "5XX", PROBLEM_ANSWER));
        return operation;
    }

    private static Map<String, Object> openOperation(String id) {
        return Map.of(
                "operationId", id,
                "security", List.of(),
                "responses",
                        Map.of(
                                "200",
                                Map.of(
                                        "description",
                                        "As text",
                                        "content",
                                        content("text/plain", Map.of("type", "string")))));
    }

    private static Map<String, Object> withBody(Map<String, Object> operation) {
        operation.put("requestBody", Map.of("required", true, "content", content("application/json", ANY_OBJECT)));
        return operation;
    }

    private static Map<String, Object> withManifest(Map<String, Object> operation) {
        Map<String, Object> either = new LinkedHashMap<>(content("application/json", ANY_OBJECT));
        either.putAll(content("application/yaml", ANY_OBJECT));
        operation.put("requestBody", Map.of("required", true, "content", either));
        return operation;
    }

    private static Map<String, Object> withDryRun(Map<String, Object> operation) {
        List<Object> parameters = new ArrayList<>(parameters(List.of("dryRun"), "query"));
        parameters.addAll(parameters(List.of("If-Match", "If-None-Match"), "header"));
        operation.put("parameters", parameters);
        return operation;
    }

    private static Map<String, Object> content(String type, Map<String, Object> schema) {
        return Map.of(type, Map.of("schema", schema));
    }

    private static List<Object> parameters(List<String> names, String in) {
        return names.stream()
                .<Object>map(name -> Map.of(
                        "name", name, "in", in, "required", in.equals("path"), "schema", Map.of("type", "string")))
                .toList();
    }
}
