package io.parley.identity.token;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.Optional;

class TokenFuzzTest {
    private static final SigningKey KEY = SigningKey.generate("1", new SecureRandom());

    @FuzzTest
    void noTextFromAStrangerIsValidOrThrows(byte[] text) {
        TokenVerifier verifier = new TokenVerifier(_ -> Optional.of(KEY.publicKey()), _ -> false, Clock.systemUTC());

        assertThat(verifier.verify(new String(text, StandardCharsets.ISO_8859_1)))
                .isInstanceOf(Verification.Refused.class);
    }
}
