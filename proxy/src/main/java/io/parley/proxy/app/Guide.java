package io.parley.proxy.app;

import io.parley.agreement.port.PortList;
import io.parley.agreement.port.PortSet;
import io.parley.proxy.Surroundings;
import io.parley.proxy.config.file.Overrides;
import io.parley.proxy.config.file.StaticConfig.AccessLogFormat;
import io.parley.proxy.config.xds.Local;
import io.parley.proxy.join.BootstrapJoin;
import io.parley.proxy.join.ControlPlaneLink;
import io.parley.proxy.listen.Guidance;
import io.parley.proxy.listen.Proxy;
import io.parley.proxy.tls.CertificateSource;
import io.parley.proxy.tls.TlsLibrary;
import io.parley.xds.bootstrap.BootstrapResult;
import io.parley.xds.bootstrap.BootstrapSource;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.function.Supplier;

/** Tells a proxy what to do, from its start to its end. */
interface Guide extends AutoCloseable {
    CertificateSource certificates();

    InetSocketAddress admin();

    AccessLogFormat accessLog();

    /** How it stands with whoever says what the proxy is to do. */
    Guidance guidance();

    /** Begins. Throws {@link ProxyProgram.ConfigException} if it is clear already that nothing will come of it. */
    void lead(Proxy proxy);

    @Override
    void close();

    static Guide of(ProxyProgram.Options options, Surroundings surroundings) {
        return switch (options.origin()) {
            case Origin.StaticFile(var file) -> new FileGuide(file, options.overrides());
            case Origin.ControlPlane(var settings) -> byLink(settings, options.overrides(), surroundings);
            case Origin.Bootstrap bootstrap -> byBootstrap(bootstrap, options.overrides(), surroundings);
        };
    }

    private static Guide byLink(ControlPlaneLink.Settings settings, Overrides overrides, Surroundings surroundings) {
        try {
            ControlPlaneLink link = new ControlPlaneLink(settings, local(overrides), surroundings);
            return new Remote(link.certificates(), admin(overrides), link::guidance, link::start, link::close);
        } catch (UncheckedIOException | IllegalArgumentException e) {
            throw new ProxyProgram.ConfigException("the control plane cannot be joined: " + e.getMessage(), e);
        }
    }

    private static Guide byBootstrap(Origin.Bootstrap origin, Overrides overrides, Surroundings surroundings) {
        return switch (BootstrapSource.load(origin.file(), System.getenv(), System::getProperty)) {
            case BootstrapResult.Rejected rejected ->
                throw new ProxyProgram.ConfigException(
                        (origin.file() == null ? "the bootstrap of the environment" : origin.file())
                                + " cannot be used: " + rejected.message());
            case BootstrapResult.Loaded(var bootstrap) -> {
                BootstrapJoin join =
                        new BootstrapJoin(bootstrap, System.getenv(), origin.version(), local(overrides), surroundings);
                yield new Remote(join.certificates(), admin(overrides), join::guidance, join::start, join::close);
            }
        };
    }

    private static Local local(Overrides overrides) {
        String text = overrides.opaquePorts();
        PortList list = PortList.parse(text == null ? "" : text);
        if (!list.rejected().isEmpty()) {
            throw new ProxyProgram.ConfigException("LINKERD2_PROXY_INBOUND_OPAQUE_PORTS: " + list.rejected());
        }
        return new Local(
                overrides.inbound(),
                overrides.outbound(),
                text == null ? PortSet.EMPTY : list.ports(),
                overrides.gateway());
    }

    private static InetSocketAddress admin(Overrides overrides) {
        InetSocketAddress address = overrides.admin();
        return address == null ? new InetSocketAddress(InetAddress.getLoopbackAddress(), 4191) : address;
    }

    /** Somebody elsewhere says what to do. */
    record Remote(
            CertificateSource certificates,
            InetSocketAddress admin,
            Supplier<Guidance> standing,
            Start begin,
            Runnable end)
            implements Guide {
        interface Start {
            void with(Proxy proxy);
        }

        @Override
        public AccessLogFormat accessLog() {
            return AccessLogFormat.TEXT;
        }

        @Override
        public Guidance guidance() {
            return standing.get();
        }

        @Override
        public void lead(Proxy proxy) {
            TlsLibrary.load();
            begin.with(proxy);
        }

        @Override
        public void close() {
            end.run();
        }
    }
}
