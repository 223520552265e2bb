package io.parley.resource.manifest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.Set;

/**
 * Kinds of Kubernetes that stand beside ours in the files that people have, and that are somebody else's to run. What guards something
 * (a NetworkPolicy, a policy of admission) is not among them: who applies that here must learn that nobody keeps to it.
 */
final class RunByOthers {
    /** By API group; the core group has no name. */
    private static final Map<String, Set<String>> KINDS = Map.of(
            "",
                    Set.of(
                            "LimitRange",
                            "PersistentVolume",
                            "PersistentVolumeClaim",
                            "ReplicationController",
                            "ResourceQuota",
                            "ServiceAccount"),
            "apps", Set.of("DaemonSet", "Deployment", "ReplicaSet", "StatefulSet"),
            "batch", Set.of("CronJob", "Job"),
            "autoscaling", Set.of("HorizontalPodAutoscaler"),
            "policy", Set.of("PodDisruptionBudget"),
            "networking.k8s.io", Set.of("Ingress", "IngressClass"),
            "rbac.authorization.k8s.io", Set.of("ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding"),
            "apiextensions.k8s.io", Set.of("CustomResourceDefinition"),
            "scheduling.k8s.io", Set.of("PriorityClass"),
            "storage.k8s.io", Set.of("StorageClass"));

    private RunByOthers() {}

    static boolean has(ObjectNode manifest) {
        String version = manifest.path("apiVersion").asText();
        int slash = version.indexOf('/');
        String group = slash < 0 ? "" : version.substring(0, slash);
        return !version.isEmpty()
                && KINDS.getOrDefault(group, Set.of())
                        .contains(manifest.path("kind").asText());
    }
}
