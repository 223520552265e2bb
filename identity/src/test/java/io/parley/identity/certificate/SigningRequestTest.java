package io.parley.identity.certificate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.util.List;
import java.util.stream.Stream;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.ExtensionsGenerator;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequestBuilder;
import org.junit.jupiter.api.Test;

class SigningRequestTest {
    private static final SpiffeId WEB = SpiffeId.ofService("default", "web");
    private static final ASN1ObjectIdentifier REQUESTED_EXTENSIONS = PKCSObjectIdentifiers.pkcs_9_at_extensionRequest;

    private final KeyPair pair = KeyPairs.generate(new SecureRandom());

    @Test
    void acceptsARequestForTheSendersOwnIdentity() throws Exception {
        SigningRequest request = SigningRequest.read(request(pair, false, uri("spiffe://default/web")), WEB);

        assertThat(request.identities()).containsExactly(WEB);
        assertThat(request.publicKey()).isEqualTo(pair.getPublic());
    }

    @Test
    void refusesTwoNames() throws Exception {
        assertRefused(request(pair, false, uri("spiffe://default/web"), uri("spiffe://default/admin")), "names");
        assertRefused(
                request(pair, false, uri("spiffe://default/web"), new GeneralName(GeneralName.dNSName, "web")),
                "names");
    }

    @Test
    void givesASenderWithSeveralServicesANameForEachWhicheverItAsksFor() throws Exception {
        List<SpiffeId> own = List.of(WEB, SpiffeId.ofService("default", "admin"));

        assertThat(SigningRequest.read(request(pair, false, uri("spiffe://default/admin")), own)
                        .identities())
                .isEqualTo(own);
        assertThatThrownBy(() -> SigningRequest.read(request(pair, false, uri("spiffe://default/orders")), own))
                .isInstanceOf(SigningRequest.RefusedException.class);
    }

    @Test
    void refusesAForeignIdentity() throws Exception {
        assertRefused(request(pair, false, uri("spiffe://default/admin")), "only the sender's own");
        assertRefused(request(pair, false, uri("spiffe://other/web")), "only the sender's own");
        assertRefused(
                request(pair, false, uri("spiffe://default/web/../admin")), "expected: none, or only the sender's own");
    }

    @Test
    void refusesToMakeAnAuthority() throws Exception {
        assertRefused(request(pair, true, uri("spiffe://default/web")), "asks to be an authority");
    }

    @Test
    void givesARequestWithoutNamesTheSendersOwn() throws Exception {
        assertThat(SigningRequest.read(request(pair, false), WEB).identities()).containsExactly(WEB);
    }

    @Test
    void refusesANameOfAnotherKind() throws Exception {
        assertRefused(request(pair, false, new GeneralName(GeneralName.dNSName, "spiffe://default/web")), "names");
    }

    @Test
    void refusesAKeyThatTheSenderDoesNotHold() throws Exception {
        KeyPair other = KeyPairs.generate(new SecureRandom());
        KeyPair stolen = new KeyPair(other.getPublic(), pair.getPrivate());

        assertRefused(request(stolen, false, uri("spiffe://default/web")), "signature");
    }

    @Test
    void refusesAWeakKey() throws Exception {
        KeyPairGenerator rsa = KeyPairGenerator.getInstance("RSA");
        rsa.initialize(1024);

        assertRefused(request(rsa.generateKeyPair(), false, uri("spiffe://default/web")), "expected: EC of 256 bits");
    }

    @Test
    void refusesBytesThatAreNoRequest() throws Exception {
        byte[] good = request(pair, false, uri("spiffe://default/web"));
        for (int length = 0; length < good.length; length++) {
            assertRefused(java.util.Arrays.copyOf(good, length), "");
        }
        assertRefused(new byte[16 * 1024 + 1], "expected: at most");
    }

    private static void assertRefused(byte[] request, String reason) {
        assertThatThrownBy(() -> SigningRequest.read(request, WEB))
                .isInstanceOf(SigningRequest.RefusedException.class)
                .hasMessageContaining(reason);
    }

    private static GeneralName uri(String text) {
        return new GeneralName(GeneralName.uniformResourceIdentifier, text);
    }

    private static byte[] request(KeyPair pair, boolean authority, GeneralName... names) throws Exception {
        ExtensionsGenerator extensions = new ExtensionsGenerator();
        if (authority) {
            extensions.addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
        }
        if (names.length > 0) {
            extensions.addExtension(Extension.subjectAlternativeName, true, new GeneralNames(names));
        } else {
            extensions.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
        }
        String algorithm = pair.getPrivate().getAlgorithm().equals("RSA") ? "SHA256withRSA" : "SHA256withECDSA";
        return new JcaPKCS10CertificationRequestBuilder(new X500Name("CN=x"), pair.getPublic())
                .addAttribute(REQUESTED_EXTENSIONS, extensions.generate())
                .build(new JcaContentSignerBuilder(algorithm).build(pair.getPrivate()))
                .getEncoded();
    }

    @Test
    void namesAreExact() {
        for (String text : List.of("spiffe://default/web", "spiffe://a.b-c_d/x/y.z")) {
            assertThat(SpiffeId.parse(text)).hasToString(text);
        }
        Stream.of(
                        "",
                        "spiffe://",
                        "spiffe://default",
                        "spiffe://default/",
                        "spiffe://Default/web",
                        "spiffe://default:80/web",
                        "http://default/web",
                        "spiffe://default/web?x",
                        "spiffe://default/a%2fb",
                        "spiffe://default//a",
                        "spiffe://default/../a",
                        "spiffe://default/a/.",
                        "spiffe://default/a\0",
                        "spiffe://u@default/a")
                .forEach(text ->
                        assertThatThrownBy(() -> SpiffeId.parse(text)).as(text).hasMessageContaining("expected"));
    }
}
