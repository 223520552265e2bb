package io.parley.proxy.http1;

/** How far a client's connection is with the request at hand. */
enum ServerState {
    /** Between requests. */
    IDLE,

    /** A head has begun. */
    HEAD,

    /** The head is complete, and where it goes is not there yet. */
    WAITING,
    BODY,

    /** The request is complete. */
    ANSWER,
    TUNNEL,

    /** Nothing more is read. */
    ENDING
}
