package io.parley.wire.hpack;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.util.AsciiString;
import io.parley.wire.http.Field;
import io.parley.wire.http.Fields;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Blocks as text, and their fields as text. */
final class Blocks {
    private Blocks() {}

    static ByteBuf block(String hex) {
        return Unpooled.wrappedBuffer(HexFormat.of().parseHex(hex.replace(" ", "")));
    }

    static List<Field> fields(HpackDecoder decoder, ByteBuf block) throws HpackException {
        List<Field> fields = new ArrayList<>();
        decoder.decode(block, fields::add);
        return fields;
    }

    static List<String> decode(HpackDecoder decoder, String hex) throws HpackException {
        return texts(fields(decoder, block(hex)));
    }

    static List<String> texts(Iterable<Field> fields) {
        List<String> texts = new ArrayList<>();
        fields.forEach(field -> texts.add(field.name() + ": " + field.value()));
        return texts;
    }

    static List<String> entries(DynamicTable table) {
        List<Field> entries = new ArrayList<>();
        for (int age = 0; age < table.length(); age++) {
            entries.add(table.at(age));
        }
        return texts(entries);
    }

    /** Of names and values by turns. */
    static Fields head(String... texts) {
        Fields head = new Fields();
        for (int i = 0; i < texts.length; i += 2) {
            head.add(new AsciiString(texts[i]), new AsciiString(texts[i + 1]));
        }
        return head;
    }

    static String encode(HpackEncoder encoder, Fields fields) {
        ByteBuf out = Unpooled.buffer();
        encoder.encode(fields, out);
        byte[] bytes = new byte[out.readableBytes()];
        out.readBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
