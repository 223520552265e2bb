package io.parley.wire.hpack;

import io.netty.util.AsciiString;
import io.parley.wire.http.Field;
import io.parley.wire.http.Fields;
import java.util.Random;

/** Heads as they could come: few names, some values again and again, some new, some long, any octets. */
final class RandomHeads {
    private static final int[] TABLE_SIZES = {0, 33, 64, 100, 300, 1000, 4095, 4096, 4097, 8192};

    private final Random random;

    RandomHeads(long seed) {
        random = new Random(seed);
    }

    Fields next() {
        Fields head = new Fields();
        int count = random.nextInt(20);
        for (int i = 0; i < count; i++) {
            head.add(new Field(name(), value(), random.nextInt(20) == 0, null));
        }
        return head;
    }

    private AsciiString name() {
        return switch (random.nextInt(4)) {
            case 0 -> StaticTable.at(1 + random.nextInt(14)).name();
            case 1 -> StaticTable.at(1 + random.nextInt(StaticTable.LENGTH)).name();
            case 2 -> new AsciiString("x-" + random.nextInt(100));
            default -> random.nextInt(10) == 0 ? octets(1 + random.nextInt(50)) : new AsciiString("grpc-status");
        };
    }

    private AsciiString value() {
        return switch (random.nextInt(6)) {
            case 0, 1 -> new AsciiString("value-" + random.nextInt(5));
            case 2 -> StaticTable.at(1 + random.nextInt(16)).value();
            case 3 -> new AsciiString("v".repeat(random.nextInt(30)) + random.nextInt());
            case 4 -> octets(random.nextInt(60));
            default -> random.nextInt(10) == 0 ? new AsciiString("long ".repeat(random.nextInt(900))) : octets(3);
        };
    }

    private AsciiString octets(int length) {
        byte[] octets = new byte[length];
        random.nextBytes(octets);
        return new AsciiString(octets, false);
    }

    /** Now and then, so that blocks lie between two changes. */
    boolean changesTableSize() {
        return random.nextInt(10) == 0;
    }

    int tableSize() {
        return TABLE_SIZES[random.nextInt(TABLE_SIZES.length)];
    }
}
