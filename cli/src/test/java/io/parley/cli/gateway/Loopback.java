package io.parley.cli.gateway;

import io.netty.resolver.AddressResolver;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.InetNameResolver;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Promise;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;

/** Every name is this machine's. */
final class Loopback extends AddressResolverGroup<InetSocketAddress> {
    @Override
    protected AddressResolver<InetSocketAddress> newResolver(EventExecutor executor) {
        return new InetNameResolver(executor) {
            @Override
            protected void doResolve(String host, Promise<InetAddress> promise) {
                promise.setSuccess(InetAddress.getLoopbackAddress());
            }

            @Override
            protected void doResolveAll(String host, Promise<List<InetAddress>> promise) {
                promise.setSuccess(List.of(InetAddress.getLoopbackAddress()));
            }
        }.asAddressResolver();
    }
}
