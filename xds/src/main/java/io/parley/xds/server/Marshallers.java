package io.parley.xds.server;

import io.grpc.Drainable;
import io.grpc.KnownLength;
import io.grpc.MethodDescriptor.Marshaller;
import io.parley.xds.server.session.EncodedResponse;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/** Bytes in, bytes out: requests are parsed where a bad one can be refused, responses are encoded already. */
public final class Marshallers {
    public static final Marshaller<byte[]> BYTES = new Marshaller<>() {
        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return read(stream);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    };

    public static final Marshaller<EncodedResponse> RESPONSE = new Marshaller<>() {
        @Override
        public InputStream stream(EncodedResponse value) {
            return new ResponseStream(value);
        }

        @Override
        public EncodedResponse parse(InputStream stream) {
            throw new UnsupportedOperationException("a server does not read responses");
        }
    };

    private Marshallers() {}

    /** Servers have all of a message there when they hand it over; read without asking how much, each would cost a buffer of 16 KiB. */
    private static byte[] read(InputStream stream) throws IOException {
        byte[] there = stream.readNBytes(stream.available());
        int more = stream.read();
        if (more < 0) {
            return there;
        }
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.write(there);
        all.write(more);
        stream.transferTo(all);
        return all.toByteArray();
    }

    /** gRPC asks for the length and then has the bytes written straight to its buffers; reading is for other transports. */
    private static final class ResponseStream extends InputStream implements Drainable, KnownLength {
        private final EncodedResponse response;
        private @org.jspecify.annotations.Nullable ByteArrayInputStream bytes;
        private boolean drained;

        ResponseStream(EncodedResponse response) {
            this.response = response;
        }

        @Override
        public int drainTo(OutputStream target) throws IOException {
            drained = true;
            response.writeTo(target);
            return response.size();
        }

        @Override
        public int available() {
            if (drained) {
                return 0;
            }
            return bytes == null ? response.size() : bytes.available();
        }

        @Override
        public int read() {
            return copied().read();
        }

        @Override
        public int read(byte[] target, int offset, int length) {
            return copied().read(target, offset, length);
        }

        private ByteArrayInputStream copied() {
            if (bytes == null) {
                bytes = new ByteArrayInputStream(response.toByteArray());
            }
            return bytes;
        }
    }
}
