package io.parley.proxy.http;

/**
 * A share of the requests.
 *
 * @param weight in relation to the others'; zero gets none
 * @param request changes that hold for this share only, after the route's
 * @param response changes that hold for this share only, after the route's
 */
public record WeightedCluster(String name, int weight, FieldEdits request, FieldEdits response) {}
