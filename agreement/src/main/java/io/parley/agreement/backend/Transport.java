package io.parley.agreement.backend;

/** What a Service port runs on: its field {@code protocol}. */
public enum Transport {
    TCP,
    UDP,
    SCTP
}
