package io.parley.control.model;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.zip.CRC32;

/**
 * Addresses made from names alone: every control plane finds the same, nothing is stored, and a name keeps its own whatever others come
 * and go. Only of names that fall on one address all but the first in the alphabet get others, of those that nobody falls on
 * (docs/decisions/0261): so a name that has the address it falls on keeps it, wherever others are moved to.
 */
enum VirtualAddresses {
    /** 240.0.0.0/4 is reserved: no network has it, so that nothing is hidden by it. The range that Kuma uses. */
    INTERCEPTED(240, 0, 28),

    /** A part of 127.0.0.0/8, all of which is this machine on Linux. */
    LOOPBACK(127, 64, 22);

    private final long base;
    private final int bits;

    VirtualAddresses(int first, int second, int bits) {
        this.base = ((long) first << 24) | ((long) second << 16);
        this.bits = bits;
    }

    Map<String, String> of(Collection<String> hosts) {
        Map<String, Long> found = new HashMap<>();
        Set<Long> taken = new HashSet<>();
        List<String> moved = new ArrayList<>();
        for (String host : new TreeSet<>(hosts)) {
            long offset = hash(host);
            if (!isSpecial(offset) && taken.add(offset)) {
                found.put(host, offset);
            } else {
                moved.add(host);
            }
        }
        for (String host : moved) {
            long offset = elsewhere(host, 1);
            for (int more = 2; isSpecial(offset) || !taken.add(offset); more++) {
                offset = elsewhere(host, more);
            }
            found.put(host, offset);
        }
        Map<String, String> addresses = new TreeMap<>();
        found.forEach((host, offset) -> addresses.put(host, text(base + offset)));
        return addresses;
    }

    /** The address that a name has unless it must give way; empty if that is nobody's. */
    Optional<String> natural(String host) {
        return Optional.of(hash(host)).filter(offset -> !isSpecial(offset)).map(offset -> text(base + offset));
    }

    /** Far from where it was: those beside it belong to others. A colon is in no name of a host. */
    private long elsewhere(String host, int attempt) {
        return hash(host + ":" + attempt);
    }

    private long mask() {
        return (1L << bits) - 1;
    }

    private long hash(String host) {
        CRC32 crc = new CRC32();
        crc.update(host.getBytes(StandardCharsets.UTF_8));
        return crc.getValue() & mask();
    }

    /** The first and last of a network are no hosts, and 255.255.255.255 is everybody. */
    private static boolean isSpecial(long offset) {
        long last = offset & 0xff;
        return last == 0 || last == 255;
    }

    private static String text(long address) {
        return (address >> 24) + "." + (address >> 16 & 0xff) + "." + (address >> 8 & 0xff) + "." + (address & 0xff);
    }
}
