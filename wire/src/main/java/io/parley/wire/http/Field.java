package io.parley.wire.http;

import io.netty.util.AsciiString;
import org.jspecify.annotations.Nullable;

/**
 * One field of a head. A stranger's is looked at once, when it is read: a table of HPACK keeps what was found together with it.
 *
 * @param name in lower case; that of a pseudo-field begins with a colon
 * @param secret whether no table on the way may keep it (RFC 7541 section 7.1.3)
 * @param fault what is wrong with it; null if nothing is
 */
public record Field(
        AsciiString name,
        AsciiString value,
        boolean secret,
        @Nullable Fault fault) {
    /** What an entry in a table takes beside its bytes (RFC 7541 section 4.1). */
    private static final int OVERHEAD = 32;

    /** What can be wrong with a field, the gravest first. */
    public enum Fault {
        /** It is no token in lower case. */
        NAME,

        /** It holds a control character, or begins or ends with white space (RFC 9113 section 8.2.1). */
        VALUE,

        /** To a server that makes variables of fields, as CGI does, an underscore is a dash: one field could pass for another. */
        UNDERSCORE
    }

    /** One of our own making. */
    public static Field of(AsciiString name, AsciiString value) {
        return new Field(name, value, false, null);
    }

    /** One that a stranger sent, in HTTP/2's form. */
    public static Field read(AsciiString name, AsciiString value, boolean secret) {
        return new Field(name, value, secret, faultOf(name, value));
    }

    /** The same of one that came with the name of another, so that only its value is new. */
    public static Field readNamedAs(Field other, AsciiString value, boolean secret) {
        Fault known = other.fault;
        // Behind a fault of the value, one of the name may be hidden.
        Fault fault = known == Fault.VALUE
                ? faultOf(other.name, value)
                : known == Fault.NAME || Octets.isTrimmedValue(value) ? known : Fault.VALUE;
        return new Field(other.name, value, secret, fault);
    }

    private static @Nullable Fault faultOf(AsciiString name, AsciiString value) {
        boolean pseudo = !name.isEmpty() && name.byteAt(0) == ':';
        if (!pseudo && !Octets.isLowerToken(name)) {
            return Fault.NAME;
        }
        if (!Octets.isTrimmedValue(value)) {
            return Fault.VALUE;
        }
        return !pseudo && !Octets.isTokenWithoutUnderscore(name) ? Fault.UNDERSCORE : null;
    }

    public boolean isPseudo() {
        return !name.isEmpty() && name.byteAt(0) == ':';
    }

    /** How large it counts in a table and in a list of fields. */
    public int size() {
        return name.length() + value.length() + OVERHEAD;
    }

    public boolean is(AsciiString otherName) {
        return name.equals(otherName);
    }
}
