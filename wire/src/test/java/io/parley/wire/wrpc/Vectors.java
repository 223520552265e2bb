package io.parley.wire.wrpc;

import java.nio.ByteBuffer;
import java.util.HexFormat;

/** Bytes taken down from peers in the field. */
final class Vectors {
    static final String A_MESSAGE = "0a1312044b4f4e471a05332e302e30220464702d31120c0a06636f6e66696712027631";
    static final String A_FRAME = "0801123508021805200128013880e2cfaa0640014a23" + A_MESSAGE;
    static final String B_MESSAGE =
            "12060a0463702d311a200a06636f6e666967120276311a127752504320636f6e66696775726174696f6e";
    static final String B_FRAME = "080112380802180520012801300140014a2a" + B_MESSAGE;
    static final String C_REQUEST = "0a1212044b4f4e471a0a322e362e312d6265746112170a0d636f6e66696775726174696f6e"
            + "120276311202763212100a06766974616c731202763112027632";
    static final String C_RESPONSE = "12060a04343234321a130a0d636f6e66696775726174696f6e12027632"
            + "221e0a06766974616c731a146f6e6c7920763320697320617661696c61626c65";
    static final String C_REQUEST_WITH_ID = "0a160a02343212044b4f4e471a0a322e362e312d6265746112170a0d636f6e66696775"
            + "726174696f6e120276311202763212100a06766974616c731202763112027632";
    static final String D_FRAME = "080112240802180520012801300140014a160a14496e76616c6964204350204e6f64652054797065";
    static final String E_FRAME =
            "080112280801121c08021218496e76616c6964207365727669636520286f7220727063291801200428013001";
    static final String F_FRAME = "0801121208021805200128013880e2cfaa0640014a00";
    static final String G_FRAME = "0801120e08021805200128013880e2cfaa06";

    private Vectors() {}

    static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex);
    }

    static Received decode(String hex) {
        return FrameCodec.decode(ByteBuffer.wrap(bytes(hex)));
    }

    static String encode(Frame frame) {
        return HexFormat.of().formatHex(FrameCodec.encode(frame));
    }
}
