package io.parley.proxy.exchange;

import io.netty.util.AsciiString;
import io.parley.proxy.pool.Answer;
import io.parley.wire.http.Fields;
import org.jspecify.annotations.Nullable;

/** How a request ends: the status of the answer, and of a call of gRPC its own, as HTTP says 200 there whatever has happened. */
final class Outcome {
    private static final AsciiString FIELD = AsciiString.cached("grpc-status");
    private static final int OK = 200;
    private static final int NONE = -1;
    private static final int UNKNOWN = 2;
    private static final int DEADLINE_EXCEEDED = 4;
    private static final int INTERNAL = 13;
    private static final int UNAVAILABLE = 14;
    private static final int DATA_LOSS = 15;
    private static final int HIGHEST = 16;

    private boolean call;
    private int status;
    private int code = NONE;

    /** Another request begins. */
    void begin(boolean grpc) {
        call = grpc;
        status = 0;
        code = NONE;
    }

    /** 0 if there was no answer so far. */
    int status() {
        return status;
    }

    /** The answer has this status. */
    void is(int answered) {
        status = answered;
    }

    /** The proxy answers in the server's place. */
    void failed(LocalAnswer.Failure failure) {
        status = failure.status();
        code = call ? failure.grpc() : NONE;
    }

    /** The head of an answer has come: unless more must be known, the one who answers is judged by it. */
    void answered(Answer answer, boolean last, Visit visit) {
        code = NONE;
        if (!call || answer.status() != OK) {
            visit.judge(answer.status());
        } else if (last) {
            called(answer.field(FIELD.toString()), visit);
        }
    }

    /** The answer has ended with these. */
    void ended(Fields trailers, Visit visit) {
        if (call && status == OK) {
            called(trailers.value(FIELD), visit);
        }
    }

    /** The answer has ended. */
    void ended(Visit visit) {
        if (call && status == OK && code == NONE) {
            called(null, visit);
        }
    }

    /** The answer has begun, and will not come to its end. */
    void cutOff(LocalAnswer.Failure failure) {
        code = call ? failure.grpcOfReset() : NONE;
    }

    private void called(@Nullable CharSequence field, Visit visit) {
        code = code(field);
        visit.judge(
                switch (code) {
                    case UNAVAILABLE -> 503;
                    case DEADLINE_EXCEEDED -> 504;
                    case UNKNOWN, INTERNAL, DATA_LOSS -> 500;
                    // What the application has decided is no fault of an endpoint.
                    default -> OK;
                });
    }

    /** What is no code, or is not there, is UNKNOWN, as clients have it. */
    private static int code(@Nullable CharSequence field) {
        int value = field == null || field.isEmpty() ? HIGHEST + 1 : 0;
        for (int i = 0; field != null && i < field.length() && value <= HIGHEST; i++) {
            int digit = field.charAt(i) - '0';
            value = digit < 0 || digit > 9 ? HIGHEST + 1 : value * 10 + digit;
        }
        return value > HIGHEST ? UNKNOWN : value;
    }

    /** It is over. */
    void tell(LiveRoute route, Account account, long nanos, long received, long sent) {
        route.series().ended(status, code, nanos);
        if (code != NONE) {
            account.grpc(code);
        }
        account.ended(route.route().name(), status, nanos, received, sent);
    }
}
