package io.parley.control.policy.proxypatch;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.envoyproxy.envoy.config.listener.v3.Filter;
import io.envoyproxy.envoy.config.listener.v3.FilterChain;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpFilter;
import io.parley.control.draft.Assembled;
import io.parley.control.draft.EnvoyJson;
import io.parley.resource.policy.proxypatch.Match;
import io.parley.resource.policy.proxypatch.Modification;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Changes to filters, which stand in listeners. */
final class ListenerPatch {
    /** A step that may find out that a message is not what it should be. */
    interface Change<T> {
        T apply(T value) throws InvalidProtocolBufferException;
    }

    private ListenerPatch() {}

    static void networkFilters(Modification modification, Assembled assembled) throws InvalidProtocolBufferException {
        chains(
                modification,
                assembled,
                chain -> chain.toBuilder()
                        .clearFilters()
                        .addAllFilters(filters(
                                chain.getFiltersList(), modification, Filter.getDefaultInstance(), Filter::getName))
                        .build());
    }

    static void httpFilters(Modification modification, Assembled assembled) throws InvalidProtocolBufferException {
        managers(
                modification,
                assembled,
                manager -> manager.toBuilder()
                        .clearHttpFilters()
                        .addAllHttpFilters(filters(
                                manager.getHttpFiltersList(),
                                modification,
                                HttpFilter.getDefaultInstance(),
                                HttpFilter::getName))
                        .build());
    }

    /** Changes every connection manager of the listeners that are meant. */
    static void managers(Modification modification, Assembled assembled, Change<HttpConnectionManager> change)
            throws InvalidProtocolBufferException {
        chains(modification, assembled, chain -> {
            FilterChain.Builder builder = chain.toBuilder();
            for (Filter.Builder filter : builder.getFiltersBuilderList()) {
                if (filter.getTypedConfig().is(HttpConnectionManager.class)) {
                    HttpConnectionManager manager = filter.getTypedConfig().unpack(HttpConnectionManager.class);
                    filter.setTypedConfig(Any.pack(change.apply(manager)));
                }
            }
            return builder.build();
        });
    }

    private static void chains(Modification modification, Assembled assembled, Change<FilterChain> change)
            throws InvalidProtocolBufferException {
        for (Map.Entry<String, Listener> entry : assembled.listeners().entrySet()) {
            if (isMeant(modification.match(), entry.getKey())) {
                Listener.Builder listener = entry.getValue().toBuilder();
                for (int at = 0; at < listener.getFilterChainsCount(); at++) {
                    listener.setFilterChains(at, change.apply(listener.getFilterChains(at)));
                }
                entry.setValue(listener.build());
            }
        }
    }

    private static boolean isMeant(@org.jspecify.annotations.Nullable Match match, String listener) {
        return match == null
                || ((match.container() == null || match.container().equals(listener))
                        && ProxyPatch.isOrigin(match, listener));
    }

    @SuppressWarnings("unchecked") // a builder of M builds an M
    private static <M extends Message> List<M> filters(
            List<M> filters, Modification modification, M empty, Function<M, String> nameOf)
            throws InvalidProtocolBufferException {
        List<M> changed = new ArrayList<>(filters);
        String name = modification.match() == null ? null : modification.match().name();
        int at = -1;
        for (int index = 0; index < filters.size(); index++) {
            at = at < 0 && nameOf.apply(filters.get(index)).equals(name) ? index : at;
        }
        switch (modification.operation()) {
            case ADD, ADD_FIRST -> changed.addFirst(read(modification, empty));
            case ADD_LAST -> changed.addLast(read(modification, empty));
            case ADD_BEFORE -> {
                if (at >= 0) {
                    changed.add(at, read(modification, empty));
                }
            }
            case ADD_AFTER -> {
                if (at >= 0) {
                    changed.add(at + 1, read(modification, empty));
                }
            }
            case REMOVE ->
                changed.removeIf(filter -> name == null || nameOf.apply(filter).equals(name));
            case PATCH -> {
                if (at >= 0) {
                    changed.set(at, (M) patched(changed.get(at), modification));
                }
            }
        }
        return changed;
    }

    @SuppressWarnings("unchecked") // a builder of M builds an M
    private static <M extends Message> M read(Modification modification, M empty)
            throws InvalidProtocolBufferException {
        Message.Builder builder = empty.newBuilderForType();
        EnvoyJson.read(ProxyPatch.json(modification.value()), builder);
        return (M) builder.build();
    }

    /** What a filter is configured with is a message of its own inside it, and is merged as such. */
    private static Message patched(Message filter, Modification modification) throws InvalidProtocolBufferException {
        Message merged = ProxyPatch.patched(filter, modification);
        if (!modification.jsonPatches().isEmpty()) {
            return merged;
        }
        var field = filter.getDescriptorForType().findFieldByName("typed_config");
        Any before = (Any) filter.getField(field);
        Message.Builder over = filter.newBuilderForType();
        EnvoyJson.read(ProxyPatch.json(modification.value()), over);
        Any change = (Any) over.getField(field);
        if (!over.hasField(field) || !before.getTypeUrl().equals(change.getTypeUrl())) {
            return merged;
        }
        Any both = before.toBuilder()
                .setValue(before.getValue().concat(change.getValue()))
                .build();
        return merged.toBuilder().setField(field, both).build();
    }
}
