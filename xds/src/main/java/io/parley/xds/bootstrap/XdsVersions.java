package io.parley.xds.bootstrap;

import io.parley.agreement.version.FeatureTable;
import io.parley.agreement.version.VersionChoice;
import io.parley.xds.type.ApiVersion;
import java.util.Map;

/**
 * Which version of xDS to speak with a server. All that is known of versions is the table; the rule is
 * {@link FeatureTable#choose}.
 */
public final class XdsVersions {
    /** Set to {@code false} to speak v2 whatever the server offers. Elsewhere v3 was an experiment; here it is tested. */
    public static final String V3_VARIABLE = "GRPC_XDS_EXPERIMENTAL_V3_SUPPORT";

    /** xDS v2 has no feature: servers of its time had no way to name one. */
    public static final FeatureTable<ApiVersion> TABLE =
            FeatureTable.assuming(ApiVersion.V2).then(ApiVersion.V3, ServerFeature.XDS_V3.text());

    private XdsVersions() {}

    /** The table that holds in this environment. */
    public static FeatureTable<ApiVersion> in(Map<String, String> environment) {
        return "false".equalsIgnoreCase(environment.get(V3_VARIABLE)) ? TABLE.upTo(ApiVersion.V2) : TABLE;
    }

    /** The version to speak with the server. */
    public static VersionChoice<ApiVersion> choose(XdsServer server, Map<String, String> environment) {
        return in(environment).choose(server.features());
    }
}
