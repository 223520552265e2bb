package io.parley.control.gateway;

/**
 * What was done so far, to be compared before and after a change.
 *
 * @param steps changes that touched something
 * @param routesResolved routes whose references were followed
 * @param gatewaysWritten gateways whose configuration was put together
 * @param resourcesEncoded messages that became bytes
 */
public record GatewayWork(long steps, long routesResolved, long gatewaysWritten, long resourcesEncoded) {
    static final GatewayWork NONE = new GatewayWork(0, 0, 0, 0);

    GatewayWork plus(long moreSteps, long routes, long gateways, long encoded) {
        return new GatewayWork(
                steps + moreSteps, routesResolved + routes, gatewaysWritten + gateways, resourcesEncoded + encoded);
    }

    public GatewayWork minus(GatewayWork earlier) {
        return new GatewayWork(
                steps - earlier.steps,
                routesResolved - earlier.routesResolved,
                gatewaysWritten - earlier.gatewaysWritten,
                resourcesEncoded - earlier.resourcesEncoded);
    }
}
