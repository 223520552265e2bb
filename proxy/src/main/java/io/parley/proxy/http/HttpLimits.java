package io.parley.proxy.http;

/**
 * What a request may cost.
 *
 * @param line bytes of a request line; then 414
 * @param head bytes of all header fields together; then 431
 * @param fields number of header fields; then 431
 * @param body bytes of a body; then 413. Zero is without limit
 * @param streams requests at the same time on one HTTP/2 connection
 */
public record HttpLimits(int line, int head, int fields, long body, int streams) {
    public static final HttpLimits DEFAULT = new HttpLimits(8_192, 60 * 1_024, 100, 0, 100);

    /** The same, but for bodies of at most so many bytes. */
    public HttpLimits withBody(long most) {
        return new HttpLimits(line, head, fields, most, streams);
    }

    /** Those of them that hold for a head. */
    public HttpLimits ofHeads() {
        return new HttpLimits(line, head, fields, DEFAULT.body, DEFAULT.streams);
    }
}
