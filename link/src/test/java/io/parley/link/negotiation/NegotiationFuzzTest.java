package io.parley.link.negotiation;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.google.protobuf.ByteString;
import io.parley.agreement.version.NegotiationAnswer;
import io.parley.agreement.version.NegotiationRequest;
import io.parley.agreement.version.Negotiator;
import io.parley.agreement.version.OfferedService;
import io.parley.agreement.version.PolicySet;
import io.parley.agreement.version.Requester;
import io.parley.agreement.version.ServiceCatalog;
import io.parley.link.CallRefusal;
import io.parley.link.Services;
import java.util.Map;

class NegotiationFuzzTest {
    private static final Negotiator NEGOTIATOR = new Negotiator(
            ServiceCatalog.of(OfferedService.of("config", "v2", "v1"), OfferedService.of("vitals", "v3")),
            PolicySet.EMPTY);

    @FuzzTest
    void whateverANodeAsksTheAnswerIsOneThatANodeBelievesOrSaysWhatWasWrong(byte[] payload) {
        NegotiationRequest request;
        try {
            request = NegotiationMessages.read(Services.NEGOTIATE.readRequest(ByteString.copyFrom(payload)));
        } catch (CallRefusal refusal) {
            assertThat(refusal).hasMessageStartingWith("payload of 5.1");
            return;
        }
        NegotiationAnswer answer = NEGOTIATOR.answer(new Requester("", Map.of(), "dp"), request);
        AnswerCheck check = AnswerCheck.of(request.services(), NegotiationMessages.write(answer, "cp"));
        switch (answer) {
            case NegotiationAnswer.Invalid invalid ->
                assertThat(check)
                        .isEqualTo(
                                new AnswerCheck.Failed("control plane refuses the negotiation: " + invalid.message()));
            case NegotiationAnswer.Answered _ -> assertThat(check).isInstanceOf(AnswerCheck.Agreed.class);
        }
    }
}
