package io.parley.resource.gateway;

import io.parley.resource.read.Fields;
import io.parley.resource.read.SpecReader;
import org.jspecify.annotations.Nullable;

/**
 * What a GatewayClass says.
 *
 * @param controller who is to make gateways of it
 */
public record GatewayClassSpec(String controller, @Nullable ObjectRef parameters) {
    public static final SpecReader<GatewayClassSpec> READER = SpecReader.of(GatewayClassSpec::read);

    private static GatewayClassSpec read(Fields fields) {
        var _ = fields.at("description").text();
        return new GatewayClassSpec(
                fields.at("controllerName")
                        .requireText(
                                "a domain and a path, such as example.com/gateway",
                                text -> text.matches(
                                        "[a-z0-9]([-a-z0-9.]*[a-z0-9])?/[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+")),
                fields.at("parametersRef").object(ObjectRef::read));
    }
}
