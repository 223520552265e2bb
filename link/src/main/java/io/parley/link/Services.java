package io.parley.link;

import io.parley.wire.wrpc.proto.FollowTrustRequest;
import io.parley.wire.wrpc.proto.FollowTrustResponse;
import io.parley.wire.wrpc.proto.NegotiateServicesRequest;
import io.parley.wire.wrpc.proto.NegotiateServicesResponse;
import io.parley.wire.wrpc.proto.PingCPRequest;
import io.parley.wire.wrpc.proto.PingCPResponse;
import io.parley.wire.wrpc.proto.PushRequest;
import io.parley.wire.wrpc.proto.PushResponse;
import io.parley.wire.wrpc.proto.ReportMetadataRequest;
import io.parley.wire.wrpc.proto.ReportMetadataResponse;
import io.parley.wire.wrpc.proto.ReportRequest;
import io.parley.wire.wrpc.proto.ReportResponse;
import io.parley.wire.wrpc.proto.SignCertificateRequest;
import io.parley.wire.wrpc.proto.SignCertificateResponse;
import io.parley.wire.wrpc.proto.SubscribeRequest;
import io.parley.wire.wrpc.proto.SubscribeResponse;
import io.parley.wire.wrpc.proto.SyncConfigRequest;
import io.parley.wire.wrpc.proto.SyncConfigResponse;
import io.parley.wire.wrpc.proto.TrustRequest;
import io.parley.wire.wrpc.proto.TrustResponse;

/**
 * Every service, version and number there is on a link, in one place. Numbers below 32 belong to the protocol as others ship it;
 * ours begin there. The two versions of {@code config} share the service number and not the procedures.
 */
public final class Services {
    public static final int NEGOTIATION = 5;

    public static final int CONFIG = 1;
    public static final String CONFIG_NAME = "config";

    public static final int IDENTITY = 32;
    public static final String IDENTITY_NAME = "identity";

    public static final int TELEMETRY = 33;
    public static final String TELEMETRY_NAME = "telemetry";

    public static final String V1 = "v1";
    public static final String V2 = "v2";

    public static final Rpc<NegotiateServicesRequest, NegotiateServicesResponse> NEGOTIATE =
            new Rpc<>(NEGOTIATION, 1, NegotiateServicesRequest.parser(), NegotiateServicesResponse.parser());

    /** Control plane to node. */
    public static final Rpc<SyncConfigRequest, SyncConfigResponse> SYNC_CONFIG =
            new Rpc<>(CONFIG, 2, SyncConfigRequest.parser(), SyncConfigResponse.parser());

    public static final Rpc<PingCPRequest, PingCPResponse> PING_CP =
            new Rpc<>(CONFIG, 3, PingCPRequest.parser(), PingCPResponse.parser());

    public static final Rpc<ReportMetadataRequest, ReportMetadataResponse> REPORT_METADATA =
            new Rpc<>(CONFIG, 4, ReportMetadataRequest.parser(), ReportMetadataResponse.parser());

    public static final Rpc<SubscribeRequest, SubscribeResponse> SUBSCRIBE =
            new Rpc<>(CONFIG, 16, SubscribeRequest.parser(), SubscribeResponse.parser());

    /** Control plane to node. */
    public static final Rpc<PushRequest, PushResponse> PUSH =
            new Rpc<>(CONFIG, 17, PushRequest.parser(), PushResponse.parser());

    public static final Rpc<SignCertificateRequest, SignCertificateResponse> SIGN_CERTIFICATE =
            new Rpc<>(IDENTITY, 1, SignCertificateRequest.parser(), SignCertificateResponse.parser());

    public static final Rpc<FollowTrustRequest, FollowTrustResponse> FOLLOW_TRUST =
            new Rpc<>(IDENTITY, 2, FollowTrustRequest.parser(), FollowTrustResponse.parser());

    /** Control plane to node. */
    public static final Rpc<TrustRequest, TrustResponse> TRUST =
            new Rpc<>(IDENTITY, 3, TrustRequest.parser(), TrustResponse.parser());

    public static final Rpc<ReportRequest, ReportResponse> REPORT =
            new Rpc<>(TELEMETRY, 1, ReportRequest.parser(), ReportResponse.parser());

    private Services() {}
}
