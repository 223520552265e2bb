package io.parley.control.gateway.status;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.parley.control.gateway.attach.Verdict;
import java.time.Instant;
import java.util.List;

/** Of a GatewayClass. */
public record ClassStatus(long generation, Verdict accepted) implements Status {
    /** What this gateway can do, by the names that the conformance suite has for it; sorted. */
    static final List<String> FEATURES = List.of(
            "BackendTLSPolicy",
            "BackendTLSPolicySANValidation",
            "GRPCRoute",
            "GRPCRouteNamedRouteRule",
            "Gateway",
            "GatewayAddressEmpty",
            "GatewayBackendClientCertificate",
            "GatewayFrontendClientCertificateValidation",
            "GatewayFrontendClientCertificateValidationInsecureFallback",
            "GatewayHTTPListenerIsolation",
            "GatewayHTTPSListenerDetectMisdirectedRequests",
            "GatewayPort8080",
            "GatewayStaticAddresses",
            "HTTPRoute",
            "HTTPRoute303RedirectStatusCode",
            "HTTPRoute307RedirectStatusCode",
            "HTTPRoute308RedirectStatusCode",
            "HTTPRouteBackendProtocolH2C",
            "HTTPRouteBackendProtocolWebSocket",
            "HTTPRouteBackendRequestHeaderModification",
            "HTTPRouteBackendTimeout",
            "HTTPRouteCORS",
            "HTTPRouteDestinationPortMatching",
            "HTTPRouteHostRewrite",
            "HTTPRouteMethodMatching",
            "HTTPRouteNamedRouteRule",
            "HTTPRouteParentRefPort",
            "HTTPRoutePathRedirect",
            "HTTPRoutePathRewrite",
            "HTTPRoutePortRedirect",
            "HTTPRouteQueryParamMatching",
            "HTTPRouteRequestMirror",
            "HTTPRouteRequestMultipleMirrors",
            "HTTPRouteRequestPercentageMirror",
            "HTTPRouteRequestTimeout",
            "HTTPRouteResponseHeaderModification",
            "HTTPRouteRetry",
            "HTTPRouteSchemeRedirect",
            "ReferenceGrant",
            "TCPRoute",
            "TLSRoute",
            "TLSRouteModeMixed",
            "TLSRouteModeTerminate",
            "UDPRoute");

    @Override
    public ObjectNode after(ObjectNode earlier, Instant now) {
        ObjectNode status = earlier.deepCopy();
        status.set(
                "conditions",
                Conditions.write(
                        List.of(Condition.of("Accepted", accepted)), generation, earlier.path("conditions"), now));
        ArrayNode features = status.putArray("supportedFeatures");
        FEATURES.forEach(feature -> features.addObject().put("name", feature));
        return status;
    }
}
