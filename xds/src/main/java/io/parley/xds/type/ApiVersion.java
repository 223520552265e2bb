package io.parley.xds.type;

/** A version of the xDS API, of the transport as well as of the resources: the two are independent of each other. */
public enum ApiVersion {
    V2,
    V3
}
