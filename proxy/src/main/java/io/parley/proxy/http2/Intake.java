package io.parley.proxy.http2;

import io.netty.buffer.ByteBuf;
import io.netty.util.AsciiString;
import io.parley.wire.http.Fields;
import org.jspecify.annotations.Nullable;

/** What the frames of a peer do to a connection and its streams (RFC 9113 sections 5 and 6). */
final class Intake implements FrameSink {
    private static final int MAX_EMPTY_IN_A_ROW = 1;
    private static final AsciiString HEAD_TOO_LARGE = AsciiString.cached("431");

    private final Http2Link link;
    private final LinkOwner owner;
    private final FrameBudget budget;
    private final Streams streams;
    private final Credit credit;
    private int emptyInARow;
    private boolean webSockets;

    /** Whether the peer knows how many streams it may have. */
    private boolean told;

    Intake(Http2Link link, LinkOwner owner, FrameBudget budget, Credit credit) {
        this.link = link;
        this.owner = owner;
        this.budget = budget;
        this.streams = link.streams();
        this.credit = credit;
    }

    @Override
    public void dataBegins(int id, int bytes, boolean last) throws Http2Fault {
        if (!credit.take(bytes)) {
            throw Http2Fault.ofConnection(
                    ErrorCode.FLOW_CONTROL_ERROR, "more content than the connection has room for");
        }
        if (streams.isIdle(id)) {
            throw Http2Fault.ofConnection(ErrorCode.PROTOCOL_ERROR, "content on a stream that nobody has begun");
        }
        budget.carried();
        Http2Stream stream = streams.find(id);
        if (stream == null) {
            afterTheEnd(id);
        } else if (stream.isRemoteEnded()) {
            throw Http2Fault.ofStream(id, ErrorCode.STREAM_CLOSED, "content after the end");
        } else if (!stream.credit().take(bytes)) {
            throw Http2Fault.ofStream(id, ErrorCode.FLOW_CONTROL_ERROR, "more content than the stream has room for");
        }
    }

    /** What was under way when this side reset the stream is passed over. Of a burst more are refused than are remembered. */
    private void afterTheEnd(int id) throws Http2Fault {
        ClosedStreams.End end = streams.endOf(id);
        boolean refused = end == ClosedStreams.End.UNKNOWN && !told;
        if (end != ClosedStreams.End.RESET_BY_US && !refused) {
            throw Http2Fault.ofStream(id, ErrorCode.STREAM_CLOSED, "content after the end");
        }
    }

    @Override
    public void padding(int id, int bytes) {
        Http2Stream stream = streams.find(id);
        if (stream == null) {
            link.passedOver(bytes);
        } else {
            link.arrived(stream, bytes);
            link.consumed(stream, bytes);
        }
    }

    @Override
    public void data(int id, ByteBuf content, boolean last) throws Http2Fault {
        int bytes = content.readableBytes();
        refuseEmptyInARow(bytes, last);
        Http2Stream stream = streams.find(id);
        if (stream == null || stream.isRemoteEnded()) {
            content.release();
            link.passedOver(bytes);
            return;
        }
        try {
            stream.arrived(bytes, last);
        } catch (Http2Fault fault) {
            content.release();
            link.passedOver(bytes);
            throw fault;
        }
        if (last) {
            stream.remoteEnded();
        }
        link.arrived(stream, bytes);
        link.consumed(stream, stream.received(content, last));
        if (last) {
            link.remoteEnded(stream);
        }
    }

    /** One frame that has nothing and ends nothing may be a slip (CVE-2019-9518). */
    private void refuseEmptyInARow(int bytes, boolean last) throws Http2Fault {
        emptyInARow = bytes > 0 || last ? 0 : emptyInARow + 1;
        if (emptyInARow > MAX_EMPTY_IN_A_ROW) {
            throw Http2Fault.flood("empty-data-flood");
        }
    }

    @Override
    public void head(int id, Fields fields, @Nullable String flaw, boolean last) throws Http2Fault {
        emptyInARow = 0;
        budget.carried();
        Http2Stream stream = streams.find(id);
        if (stream == null) {
            begin(id, fields, flaw, last);
        } else if (stream.isRemoteEnded()) {
            throw Http2Fault.ofStream(id, ErrorCode.STREAM_CLOSED, "a head after the end");
        } else {
            if (last) {
                stream.arrived(0, true);
                stream.remoteEnded();
            }
            stream.head(fields, flaw, last);
            if (last) {
                link.remoteEnded(stream);
            }
        }
    }

    private void begin(int id, Fields fields, @Nullable String flaw, boolean last) throws Http2Fault {
        if (!isNew(id) || !isTaken(id)) {
            return;
        }
        Http2Stream stream = owner.begins(id, fields, flaw, last);
        stream.open(id, link.queues().initialWindow());
        if (last) {
            stream.remoteEnded();
        }
        streams.add(stream);
        owner.begun(stream, last);
    }

    /** Whether one more stream is looked at. */
    private boolean isTaken(int id) throws Http2Fault {
        if (id > link.named()) {
            // RFC 9113 6.8: it was told that nobody will look at it.
            streams.passedOver(id);
            budget.spend(FrameBudget.Kind.UNHEARD);
            return false;
        }
        if (link.busyStreams() >= owner.maxStreams()) {
            refuse(id);
            return false;
        }
        return true;
    }

    /** The client may ask for it again (RFC 9113 8.7). One that does so too often is left, once it has its answers to what was taken. */
    private void refuse(int id) {
        streams.passedOver(id);
        link.writer().reset(id, ErrorCode.REFUSED_STREAM);
        link.checkUnread();
        if (!budget.allows(told ? FrameBudget.Kind.REFUSED : FrameBudget.Kind.REFUSED_UNTOLD)) {
            owner.refusedTooMany();
        }
    }

    /** Whether a head begins a stream. On one that has ended it is a grave mistake, unless it was under way when this side reset it. */
    private boolean isNew(int id) throws Http2Fault {
        if (streams.isIdle(id)) {
            streams.begin(id);
            return true;
        }
        return switch (streams.endOf(id)) {
            case RESET_BY_US -> false;
            case USUAL -> throw Http2Fault.ofConnection(ErrorCode.STREAM_CLOSED, "a head after the end of its stream");
            case UNKNOWN ->
                throw Http2Fault.ofConnection(ErrorCode.PROTOCOL_ERROR, "a stream with a number below the last one");
        };
    }

    /** RFC 6585 5: a client is told what is wrong with its request. */
    @Override
    public void headTooLarge(int id, boolean last) throws Http2Fault {
        owner.counted("head-too-large");
        if (streams.find(id) != null) {
            throw Http2Fault.ofStream(id, ErrorCode.PROTOCOL_ERROR, "the head is too large");
        }
        if (!isNew(id) || !isTaken(id)) {
            return;
        }
        link.writer().headers(id, new Fields(1).add(Fields.STATUS, HEAD_TOO_LARGE), true);
        if (!last) {
            throw Http2Fault.ofStream(id, ErrorCode.NO_ERROR, "the head is too large");
        }
        budget.spend(FrameBudget.Kind.MADE_RESET);
        streams.passedOver(id);
        link.flushSoon();
    }

    @Override
    public void priority() throws Http2Fault {
        budget.spend(FrameBudget.Kind.PRIORITY);
    }

    @Override
    public void reset(int id, int code) throws Http2Fault {
        refuseIdle(id);
        owner.resetCame();
        Http2Stream stream = streams.find(id);
        if (stream != null) {
            stream.gaveUp(Integer.toUnsignedLong(code), null);
            link.closeNow(stream);
        }
    }

    private void refuseIdle(int id) throws Http2Fault {
        if (streams.isIdle(id)) {
            throw Http2Fault.ofConnection(ErrorCode.PROTOCOL_ERROR, "a stream that nobody has begun: " + id);
        }
    }

    @Override
    public void setting(int name, int value) throws Http2Fault {
        switch (name) {
            case Wire.HEADER_TABLE_SIZE -> link.writer().maxTable(value < 0 ? Integer.MAX_VALUE : value);
            case Wire.ENABLE_PUSH -> check(value == 0 || (value == 1 && owner.isServer()), name, value);
            case Wire.MAX_CONCURRENT_STREAMS -> owner.peersStreams(value < 0 ? Integer.MAX_VALUE : value);
            case Wire.INITIAL_WINDOW_SIZE -> link.queues().initialWindow(value, streams.all());
            case Wire.MAX_FRAME_SIZE -> {
                check(value >= Wire.USUAL_FRAME && value <= Wire.LARGEST_FRAME, name, value);
                link.writer().maxFrame(Math.min(value, Wire.USUAL_FRAME));
            }
            case Wire.ENABLE_CONNECT_PROTOCOL -> {
                // RFC 8441 3: who has said that it takes them does not take that back.
                check(value == 1 || (value == 0 && !webSockets), name, value);
                if (value == 1) {
                    webSockets = true;
                    owner.takesWebSockets();
                }
            }
            default -> {}
        }
    }

    private static void check(boolean right, int name, int value) throws Http2Fault {
        if (!right) {
            throw Http2Fault.ofConnection(ErrorCode.PROTOCOL_ERROR, "setting " + name + " cannot be " + value);
        }
    }

    @Override
    public void settingsEnd() throws Http2Fault {
        budget.spend(FrameBudget.Kind.SETTINGS);
        link.writer().settingsTaken();
        link.queues().roomForAll(streams.all());
        owner.settled();
        link.checkUnread();
    }

    @Override
    public void settingsHeard() {
        told = true;
    }

    @Override
    public void ping(long content) throws Http2Fault {
        budget.spend(FrameBudget.Kind.PING);
        link.writer().pong(content);
        link.checkUnread();
    }

    @Override
    public void goAway(int lastStream, int code) {
        owner.goneAway(lastStream);
    }

    @Override
    public void windowUpdate(int id, int increment) throws Http2Fault {
        budget.spend(FrameBudget.Kind.WINDOW_UPDATE);
        if (id == 0 && increment == 0) {
            throw Http2Fault.ofConnection(ErrorCode.PROTOCOL_ERROR, "a window that grows by nothing");
        }
        if (id == 0) {
            link.queues().windowUpdate(null, increment, streams.all());
            link.flushSoon();
            return;
        }
        refuseIdle(id);
        Http2Stream stream = streams.find(id);
        if (increment == 0) {
            throw Http2Fault.ofStream(id, ErrorCode.PROTOCOL_ERROR, "a window that grows by nothing");
        }
        if (stream != null) {
            link.queues().windowUpdate(stream, increment, streams.all());
            link.flushSoon();
        }
    }

    @Override
    public void meaningless(int type) throws Http2Fault {
        if (type != Wire.PING) {
            budget.spend(FrameBudget.Kind.UNKNOWN);
        }
    }

    /** Resets a stream for what the peer did; too many of these are the peer's way to have streams made for nothing (CVE-2025-8671). */
    @Override
    public void failed(Http2Fault fault) throws Http2Fault {
        budget.spend(FrameBudget.Kind.MADE_RESET);
        Http2Stream stream = streams.find(fault.stream());
        if (stream != null) {
            stream.gaveUp(fault.code().number(), fault);
            link.reset(stream, fault.code());
            return;
        }
        if (streams.isIdle(fault.stream())) {
            streams.begin(fault.stream());
        }
        streams.passedOver(fault.stream());
        link.writer().reset(fault.stream(), fault.code());
        link.checkUnread();
    }
}
