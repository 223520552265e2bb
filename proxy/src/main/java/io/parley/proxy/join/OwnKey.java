package io.parley.proxy.join;

import io.parley.identity.certificate.SpiffeId;
import java.io.IOException;
import java.security.KeyPair;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.Extensions;
import org.bouncycastle.asn1.x509.ExtensionsGenerator;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequestBuilder;

/** Asks for a certificate: one URI and nothing else, signed by the key that it is for. */
final class OwnKey {
    private static final String SIGNATURE = "SHA256withECDSA";

    private OwnKey() {}

    /** A PKCS #10 request in DER. */
    static byte[] request(KeyPair key, SpiffeId identity) {
        try {
            ExtensionsGenerator wanted = new ExtensionsGenerator();
            wanted.addExtension(
                    Extension.subjectAlternativeName,
                    true,
                    new GeneralNames(new GeneralName(GeneralName.uniformResourceIdentifier, identity.toString())));
            Extensions extensions = wanted.generate();
            return new JcaPKCS10CertificationRequestBuilder(new X500Name(""), key.getPublic())
                    .addAttribute(PKCSObjectIdentifiers.pkcs_9_at_extensionRequest, extensions)
                    .build(new JcaContentSignerBuilder(SIGNATURE).build(key.getPrivate()))
                    .getEncoded();
        } catch (IOException | OperatorCreationException e) {
            throw new IllegalStateException("a request for " + identity + " could not be made", e);
        }
    }
}
