package io.parley.proxy.route;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/**
 * Where a request comes from, as far as that is known.
 *
 * @param client who sent it: the peer, or whom proxies before it tell of that are trusted; then the port is not known, and 0
 * @param scheme {@code https} or {@code http}, by which the client reached the first of these proxies
 * @param peer the other end of the connection
 * @param before the addresses by which it came to the peer, as the peer lists them; null if nothing that it says counts
 */
public record Provenance(
        InetSocketAddress client,
        String scheme,
        InetSocketAddress peer,
        @Nullable String before) {
    public static final String ADDRESSES = "x-forwarded-for";
    public static final String SCHEME = "x-forwarded-proto";

    /** Of whatever a connection's peer sends of its own accord. */
    public static Provenance of(InetSocketAddress peer, String scheme) {
        return new Provenance(peer, scheme, peer, null);
    }

    /**
     * Of a request that has come by so many trusted proxies, the peer among them: each has added the address of who called it, and what was there before the first of them
     * did, the client may have written itself. Envoy counts alike ({@code xff_num_trusted_hops} with {@code use_remote_address}). A request that says less has not
     * come by them, and nothing that it says counts.
     */
    public Provenance behind(int trusted, RequestView request) {
        String said = trusted == 0 ? null : request.field(ADDRESSES);
        InetAddress first = said == null ? null : fromRight(said, trusted);
        if (first == null) {
            return this;
        }
        String came = switch (request.field(SCHEME)) {
            case "https" -> "https";
            case "http" -> "http";
            case null, default -> scheme;
        };
        return new Provenance(new InetSocketAddress(first, 0), came, peer, said);
    }

    /** All that is known of its way, as a server behind is told. */
    public String addresses() {
        String last = peer.getAddress().getHostAddress();
        return before == null ? last : before + ", " + last;
    }

    private static @Nullable InetAddress fromRight(String list, int place) {
        int end = list.length();
        for (int i = 1; i < place; i++) {
            end = list.lastIndexOf(',', end - 1);
            if (end < 0) {
                return null;
            }
        }
        return address(list.substring(list.lastIndexOf(',', end - 1) + 1, end).strip());
    }

    private static @Nullable InetAddress address(String text) {
        byte[] bytes = NetUtil.createByteArrayFromIpAddressString(text);
        try {
            return bytes == null ? null : InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address of " + bytes.length + " bytes", e);
        }
    }
}
