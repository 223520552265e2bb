package io.parley.identity.seal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import org.junit.jupiter.api.Test;

class MasterKeyTest {
    private static final byte[] SECRET = "the secret".getBytes(StandardCharsets.UTF_8);

    private final SecureRandom random = new SecureRandom();
    private final MasterKey key = new MasterKey(MasterKey.generate(random), random);

    @Test
    void opensWhatItSealed() {
        assertThat(key.open("a", key.seal("a", SECRET))).isEqualTo(SECRET);
        assertThat(key.open("a", key.seal("a", new byte[0]))).isEmpty();
    }

    @Test
    void sealsTheSameSecretDifferentlyEachTime() {
        assertThat(key.seal("a", SECRET)).isNotEqualTo(key.seal("a", SECRET));
        assertThat(new String(key.seal("a", SECRET), StandardCharsets.ISO_8859_1))
                .doesNotContain("secret");
    }

    @Test
    void doesNotOpenUnderAnotherLabelOrKey() {
        byte[] sealed = key.seal("a", SECRET);

        assertThatThrownBy(() -> key.open("b", sealed)).isInstanceOf(UnsealException.class);
        assertThatThrownBy(() -> new MasterKey(MasterKey.generate(random), random).open("a", sealed))
                .isInstanceOf(UnsealException.class)
                .hasMessageContaining("master key");
    }

    @Test
    void doesNotOpenWhatWasChangedAnywhere() {
        byte[] sealed = key.seal("a", SECRET);
        for (int i = 0; i < sealed.length; i++) {
            byte[] changed = sealed.clone();
            changed[i] ^= 1;
            assertThatThrownBy(() -> key.open("a", changed)).as("byte %d", i).isInstanceOf(UnsealException.class);
        }
        for (int length = 0; length < sealed.length; length++) {
            byte[] cut = java.util.Arrays.copyOf(sealed, length);
            assertThatThrownBy(() -> key.open("a", cut)).as("length %d", length).isInstanceOf(UnsealException.class);
        }
    }

    @Test
    void hasThirtyTwoBytesAndKeepsThemToItself() {
        assertThatThrownBy(() -> new MasterKey(new byte[16], random)).hasMessageContaining("expected: 32");
        assertThat(key).hasToString("MasterKey[redacted]");
    }
}
