package io.parley.agreement.sync;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;

/**
 * What a resource is called away from home. Between peers that do not hash it bears the zone in front, as the design document has it:
 * {@code zone-1.example-timeout}. Peers that announce {@link Feature#HASH_SUFFIX} end it in a hash of mesh, name, zone and namespace.
 */
public final class SyncNames {
    private static final char[] LETTERS = "bcdfghjklmnpqrstvwxz2456789".toCharArray();
    private static final int LONGEST_BEFORE_HASH = 236;
    private static final int LONGEST = 253;
    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;

    private SyncNames() {}

    /** The name on global of what a zone made; nothing if that would be too long to be a name. */
    public static Optional<String> prefixed(String zone, String name) {
        String whole = zone + "." + name;
        return whole.length() < LONGEST ? Optional.of(whole) : Optional.empty();
    }

    /** The name in the zone of what global calls {@code zone.name}; zone names have no dot, so this is the only way to read it. */
    public static Optional<String> withoutPrefix(String zone, String name) {
        String prefix = zone + ".";
        return name.length() > prefix.length() && name.startsWith(prefix)
                ? Optional.of(name.substring(prefix.length()))
                : Optional.empty();
    }

    /**
     * The name with a hash of where it comes from.
     *
     * @param labels those of the resource, of which zone and namespace count
     */
    public static String hashed(String mesh, String name, Map<String, String> labels) {
        // Without separators, as Kuma does it: zone eu with namespace west clashes with zone euw and namespace est, so
        // whoever stores
        // under such a name has to look whose it is (case 27).
        String hashedText =
                mesh + name + labels.getOrDefault(SyncLabels.ZONE, "") + labels.getOrDefault(SyncLabels.NAMESPACE, "");
        String kept = name.length() <= LONGEST_BEFORE_HASH ? name : name.substring(0, LONGEST_BEFORE_HASH);
        return kept + "-" + letters(fnv1a(hashedText.getBytes(StandardCharsets.UTF_8)));
    }

    private static long fnv1a(byte[] bytes) {
        long hash = FNV_OFFSET;
        for (byte b : bytes) {
            hash = (hash ^ (b & 0xff)) * FNV_PRIME;
        }
        return hash;
    }

    /** Letters that form no words: each hexadecimal digit, as the character it is printed as, picks one. */
    private static String letters(long hash) {
        StringBuilder text = new StringBuilder();
        for (char digit : HexFormat.of().toHexDigits(hash).toCharArray()) {
            text.append(LETTERS[digit % LETTERS.length]);
        }
        return text.toString();
    }
}
