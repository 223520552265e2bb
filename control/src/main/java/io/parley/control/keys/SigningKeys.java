package io.parley.control.keys;

import io.parley.identity.seal.UnsealException;
import io.parley.identity.token.SigningKey;
import io.parley.store.StoreException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.security.interfaces.ECPublicKey;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The key pairs that sign tokens, shared by all control planes of one store. The newest one signs; tokens of an older one count until it is
 * retired. Read again at most once a second: that is how long a change made elsewhere may take.
 */
public final class SigningKeys {
    private static final Logger LOG = LoggerFactory.getLogger(SigningKeys.class);
    private static final String PREFIX = "token-signing-key-";
    private static final Pattern NAME = Pattern.compile(PREFIX + "([1-9][0-9]{0,8})");
    private static final Duration MAX_AGE = Duration.ofSeconds(1);

    private final SealedSecrets secrets;
    private final Clock clock;
    private final SecureRandom random;
    private final ReentrantLock reading = new ReentrantLock();
    private final Set<String> unopenable = ConcurrentHashMap.newKeySet();
    private volatile Known known;

    private SigningKeys(SealedSecrets secrets, Clock clock, SecureRandom random) {
        this.secrets = secrets;
        this.clock = clock;
        this.random = random;
        this.known = read(new TreeMap<>());
    }

    /** Reads the keys, or makes the first one if this is the store's first control plane. */
    public static SigningKeys open(SealedSecrets secrets, Clock clock, SecureRandom random) {
        SigningKeys keys = new SigningKeys(secrets, clock, random);
        if (keys.known.byNumber().isEmpty()) {
            keys.make(1);
        }
        return keys;
    }

    /** The one that signs. */
    public SigningKey current() {
        return fresh().byNumber().lastEntry().getValue();
    }

    public Optional<ECPublicKey> find(String id) {
        return number(id).map(fresh().byNumber()::get).map(SigningKey::publicKey);
    }

    /** What the keys that count are called, the oldest first; the last one signs. */
    public List<String> ids() {
        return fresh().byNumber().values().stream().map(SigningKey::id).toList();
    }

    /** Makes a key that signs from now on. */
    public SigningKey replace() {
        return make(read(known.byNumber()).highest() + 1);
    }

    /**
     * From now on no token counts that this key has signed. One that cannot be opened can be retired, too.
     *
     * @throws IllegalArgumentException if it is the one that signs: then nobody's token would count
     */
    public boolean retire(String id) {
        Known now = read(known.byNumber());
        Optional<Integer> number = number(id);
        if (number.isEmpty() || !secrets.names().contains(id)) {
            return false;
        }
        if (number.get().equals(now.byNumber().lastKey())) {
            throw new IllegalArgumentException(id + " signs tokens (expected: an older key; make a new one first)");
        }
        secrets.remove(id);
        reread();
        return true;
    }

    private SigningKey make(int number) {
        String name = PREFIX + number;
        SigningKey made = decode(name, secrets.findOrMake(name, () -> encode(SigningKey.generate(name, random))));
        reread();
        return made;
    }

    /** While the store is away, what was known last goes on to count. */
    private Known fresh() {
        // One reads for all; meanwhile the others go by what is known.
        if (!clock.instant().isBefore(known.until()) && reading.tryLock()) {
            try {
                known = read(known.byNumber());
            } catch (StoreException e) {
                known = new Known(
                        known.byNumber(), known.highest(), clock.instant().plus(MAX_AGE));
            } finally {
                reading.unlock();
            }
        }
        return known;
    }

    /** Reads what a change has made of the keys, after a reading that began before the change. */
    private void reread() {
        reading.lock();
        try {
            known = read(known.byNumber());
        } finally {
            reading.unlock();
        }
    }

    /**
     * A key never changes, so that those which are known need not be opened again. One that cannot be opened is passed over: it would
     * lock everybody out whose token another one has signed. If none can, the master key is the wrong one.
     */
    private Known read(NavigableMap<Integer, SigningKey> before) {
        NavigableMap<Integer, SigningKey> keys = new TreeMap<>();
        RuntimeException unopened = null;
        int highest = 0;
        for (String name : secrets.names()) {
            Optional<Integer> number = number(name);
            if (number.isEmpty()) {
                continue;
            }
            highest = Math.max(highest, number.get());
            try {
                SigningKey same = before.get(number.get());
                Optional<SigningKey> key =
                        same == null ? secrets.find(name).map(encoded -> decode(name, encoded)) : Optional.of(same);
                key.ifPresent(found -> keys.put(number.get(), found));
            } catch (UnsealException | IllegalArgumentException | BufferUnderflowException e) {
                unopened = e;
                warnOnce(name, e);
            }
        }
        if (keys.isEmpty() && unopened != null) {
            throw unopened;
        }
        return new Known(keys, highest, clock.instant().plus(MAX_AGE));
    }

    private void warnOnce(String name, RuntimeException failure) {
        if (unopenable.add(name)) {
            LOG.warn("tokens signed by {} do not count: {}", name, failure.toString());
        }
    }

    /** Whether a secret of this name would be taken for one of the keys. */
    public static boolean isReserved(String secret) {
        return secret.startsWith(PREFIX);
    }

    private static Optional<Integer> number(String name) {
        Matcher matcher = NAME.matcher(name);
        return matcher.matches() ? Optional.of(Integer.valueOf(matcher.group(1))) : Optional.empty();
    }

    private static byte[] encode(SigningKey key) {
        byte[] publicKey = key.encodedPublic();
        byte[] privateKey = key.encodedPrivate();
        return ByteBuffer.allocate(Integer.BYTES + publicKey.length + privateKey.length)
                .putInt(publicKey.length)
                .put(publicKey)
                .put(privateKey)
                .array();
    }

    private static SigningKey decode(String name, byte[] encoded) {
        ByteBuffer buffer = ByteBuffer.wrap(encoded);
        byte[] publicKey = new byte[buffer.getInt()];
        buffer.get(publicKey);
        byte[] privateKey = new byte[buffer.remaining()];
        buffer.get(privateKey);
        return SigningKey.decode(name, publicKey, privateKey);
    }

    /**
     * @param highest number of all that there are, also of those that cannot be opened
     */
    private record Known(NavigableMap<Integer, SigningKey> byNumber, int highest, Instant until) {}
}
