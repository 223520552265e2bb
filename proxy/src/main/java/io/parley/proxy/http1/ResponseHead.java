package io.parley.proxy.http1;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.parley.proxy.http.HttpLimits;
import io.parley.wire.http.Fields;
import io.parley.wire.http.Octets;

/** The head of a response, read strictly. */
final class ResponseHead extends HeadScanner {
    private int minor;
    private int status;

    ResponseHead(HttpLimits limits) {
        super(limits);
    }

    @Override
    int firstLine(int limit) {
        if (limit < 15
                || bytes[0] != 'H'
                || bytes[1] != 'T'
                || bytes[2] != 'T'
                || bytes[3] != 'P'
                || bytes[4] != '/'
                || bytes[5] != '1'
                || bytes[6] != '.'
                || (bytes[7] != '0' && bytes[7] != '1')
                || bytes[8] != ' ') {
            return bad(Flaw.STATUS_LINE);
        }
        minor = bytes[7] - '0';
        status = 0;
        for (int i = 9; i < 12; i++) {
            int digit = bytes[i] - '0';
            if (digit < 0 || digit > 9) {
                return bad(Flaw.STATUS_LINE);
            }
            status = status * 10 + digit;
        }
        // The reason may be missing, and with it, as some servers have it, the space before it.
        if (status < 100 || (bytes[12] != Octets.SPACE && bytes[12] != Octets.CR)) {
            return bad(Flaw.STATUS_LINE);
        }
        int at = 12;
        while (Octets.isValue(bytes[at])) {
            at++;
        }
        return bytes[at] == Octets.CR && bytes[at + 1] == Octets.LF ? at + 2 : bad(Flaw.STATUS_LINE);
    }

    @Override
    boolean noticed(int nameStart, int nameEnd, int valueStart, int valueEnd) {
        return true;
    }

    @Override
    boolean check() {
        return !isChunked() || minor == 1 || bad(Flaw.CODING_IN_1_0) > 0;
    }

    int status() {
        return status;
    }

    boolean isHttp10() {
        return minor == 0;
    }

    boolean isKeptAlive() {
        return minor == 1 ? !is(CLOSE) : is(KEEP_ALIVE) && !is(CLOSE);
    }

    /** Whether the head may pass byte by byte. */
    boolean isPlain() {
        return minor == 1 && !is(HOP) && !(hasNoContent() && (isChunked() || contentLength() != NO_LENGTH));
    }

    /** RFC 9110 8.6, 9112 6.1: such an answer must not say how its content is framed, and some clients wait for some if it does. */
    private boolean hasNoContent() {
        return status < 200 || status == 204;
    }

    /** Whether a WebSocket begins for which a client has sent this key (RFC 6455 section 4.1). */
    boolean isWebSocket(String key) {
        return is(UPGRADE)
                && is(CONNECTION_UPGRADE)
                && "websocket".equalsIgnoreCase(field("upgrade"))
                && WebSocketKey.accepts(key, field("sec-websocket-accept"));
    }

    Fields model() {
        Fields model = new Fields();
        model.add(Fields.STATUS, HttpResponseStatus.valueOf(status).codeAsText());
        boolean unframed = hasNoContent();
        copyFields(model, name -> unframed && name.equals(HeadWriter.LENGTH));
        return model;
    }
}
