package io.parley.xds.server.session;

/** Why a client rejected an answer: a code of {@code google.rpc.Code} and its words. */
public record ErrorDetail(int code, String message) {}
