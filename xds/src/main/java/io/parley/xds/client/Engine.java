package io.parley.xds.client;

import io.parley.xds.bootstrap.ServerFeature;
import io.parley.xds.bootstrap.XdsServer;
import io.parley.xds.client.Trouble.Kind;
import io.parley.xds.client.WatchEvent.AmbientError;
import io.parley.xds.client.loop.Loop;
import io.parley.xds.client.resource.ResourceName;
import io.parley.xds.client.resource.ResourceParser;
import io.parley.xds.type.ResourceType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** The state of a client, all of it on one loop: what is watched, which servers are asked, and which of them to believe. */
final class Engine implements ServerLink.Owner {
    private final ClientSettings settings;
    private final Loop loop;
    private final ServerLinks links;
    private final Map<ResourceType, ResourceTable<?>> tables = new EnumMap<>(ResourceType.class);
    private final Map<String, AuthorityServers> authorities = new LinkedHashMap<>();
    private boolean closed;

    Engine(ClientSettings settings, Loop loop, ServerLinks links) {
        this.settings = settings;
        this.loop = loop;
        this.links = links;
    }

    <T> void watch(ResourceParser<T> parser, String text, Subscriber<T> subscriber) {
        if (closed) {
            return;
        }
        ResourceTable<T> table = table(parser);
        Optional<ResourceName> name = ResourceName.parse(parser.type(), text);
        if (name.isEmpty()) {
            refuse(subscriber, text, "not the name of a " + parser.type());
            return;
        }
        Optional<AuthorityServers> authority = authority(name.get().authority());
        if (authority.isEmpty()) {
            refuse(subscriber, text, "authority " + name.get().authority() + " is not in the bootstrap file");
            return;
        }
        aside(deliveries -> table.entry(name.get()).add(subscriber, deliveries));
        ask(authority.get(), parser.type());
    }

    <T> void unwatch(ResourceParser<T> parser, String text, Subscriber<T> subscriber) {
        Optional<ResourceName> name = ResourceName.parse(parser.type(), text);
        Optional<AuthorityServers> authority = name.map(found -> authorities.get(found.authority()));
        if (name.isPresent() && authority.isPresent()) {
            table(parser).entry(name.get()).remove(subscriber);
            authority.get().used().forEach(link -> link.changed(parser.type()));
        }
    }

    <T> void watchAll(ResourceParser<T> parser, Subscriber<T> subscriber) {
        if (closed) {
            return;
        }
        aside(deliveries -> table(parser).addToAll(subscriber, deliveries));
        authority("").ifPresent(authority -> ask(authority, parser.type()));
    }

    <T> void unwatchAll(ResourceParser<T> parser, Subscriber<T> subscriber) {
        table(parser).removeFromAll(subscriber);
        Optional.ofNullable(authorities.get(""))
                .ifPresent(authority -> authority.used().forEach(link -> link.changed(parser.type())));
    }

    void close() {
        closed = true;
        tables.values().forEach(table -> table.entries().forEach(Entry::close));
        tables.clear();
        authorities.clear();
        links.closeAllBut(link -> false);
    }

    private void ask(AuthorityServers authority, ResourceType type) {
        if (authority.used().isEmpty()) {
            authority.activateNext();
        }
        authority.used().forEach(link -> link.changed(type));
        fallBackIfNeeded(authority);
    }

    /** gRPC A71: only if the servers in use give no answer, and only if something is missing. */
    private boolean fallBackIfNeeded(AuthorityServers authority) {
        if (!authority.used().getLast().isFailing() || !isAnythingMissing(authority)) {
            return false;
        }
        Optional<ServerLink<?, ?>> next = authority.activateNext();
        next.ifPresent(this::askAll);
        return next.isPresent();
    }

    private void askAll(ServerLink<?, ?> link) {
        tables.keySet().forEach(link::changed);
    }

    private boolean isAnythingMissing(AuthorityServers authority) {
        return tables.values().stream()
                .anyMatch(table -> (authority.name().isEmpty() && table.isMissingAll())
                        || table.entries().stream()
                                .anyMatch(entry -> entry.isWatched()
                                        && !entry.isSettled()
                                        && entry.name().authority().equals(authority.name())));
    }

    @Override
    public Names wanted(ServerLink<?, ?> link, ResourceType type) {
        ResourceTable<?> table = tables.get(type);
        if (table == null) {
            return Names.NONE;
        }
        boolean all = table.isWatchedWhole() && isAskedFor(link, "");
        return new Names(all, table.watched(entriesOf(link)));
    }

    @Override
    public void requested(ServerLink<?, ?> link, ResourceType type, Names names) {
        ResourceTable<?> table = tables.get(type);
        if (table != null) {
            table.entries().stream()
                    .filter(entry -> names.named().contains(entry.name().text()))
                    .forEach(entry -> expect(entry, link));
        }
    }

    private void expect(Entry<?> entry, ServerLink<?, ?> link) {
        boolean patient = link.server().has(ServerFeature.RESOURCE_TIMER_IS_TRANSIENT_ERROR);
        Duration limit = patient ? ClientSettings.PATIENT_RESOURCE_TIMEOUT : ClientSettings.RESOURCE_TIMEOUT;
        String message = "%s: nothing from %s in %d s (node %s)"
                .formatted(
                        entry.name().text(),
                        link.server().uri(),
                        limit.toSeconds(),
                        settings.bootstrap().node().getId());
        entry.expect(
                link,
                loop,
                limit,
                () -> aside(deliveries -> {
                    if (patient) {
                        entry.disputed(new Trouble(Kind.SLOW, message), deliveries);
                    } else {
                        entry.absent(new Trouble(Kind.NOT_FOUND, message), deliveries);
                    }
                }));
    }

    /** After its time a resource is forgotten, and so is that this client ever had it: its server must send it again. */
    private void keep(ResourceType type, Entry<?> entry, Optional<Duration> time) {
        entry.lives(
                time,
                loop,
                () -> aside(deliveries -> {
                    Optional.ofNullable(authorities.get(entry.name().authority()))
                            .ifPresent(authority -> authority.used().forEach(link -> link.superseded(type)));
                    String because = entry.name().text() + ": not heard of for its time to live, "
                            + time.orElse(Duration.ZERO).toSeconds() + " s";
                    Optional.ofNullable(tables.get(type)).ifPresent(table -> table.remove(entry, because, deliveries));
                }));
    }

    @Override
    public void recovered(ServerLink<?, ?> link) {
        tables.values()
                .forEach(table ->
                        table.entries().stream().filter(entriesOf(link)).forEach(Entry::recovered));
        authorities.values().forEach(authority -> authority.dismissAfter(link));
        if (links.closeAllBut(other -> authorities.values().stream().anyMatch(authority -> authority.uses(other)))) {
            // This server was asked long ago; until now it was another one's time that ran.
            tables.forEach((type, table) -> requested(link, type, wanted(link, type)));
        }
    }

    @Override
    public Verdict answered(ServerLink<?, ?> link, Answer answer, Deliveries deliveries) {
        ResourceTable<?> table = tables.get(answer.type());
        if (table == null) {
            throw new IllegalStateException("an answer about " + answer.type() + ", which nobody ever asked for");
        }
        supersede(link, answer.type());
        return table.apply(answer, link.server(), entriesOf(link), deliveries);
    }

    /** Told a version of what it sent once, another server would take the client to have that still, and be silent. */
    private void supersede(ServerLink<?, ?> link, ResourceType type) {
        for (AuthorityServers authority : authorities.values()) {
            if (authority.uses(link)) {
                authority.used().stream().filter(other -> !other.equals(link)).forEach(other -> other.superseded(type));
            }
        }
    }

    @Override
    public void interrupted(ServerLink<?, ?> link) {
        tables.values().forEach(table -> table.entries().forEach(entry -> entry.interrupted(link)));
    }

    @Override
    public void failed(ServerLink<?, ?> link, Trouble trouble) {
        for (AuthorityServers authority : new ArrayList<>(authorities.values())) {
            if (authority.isLast(link) && !fallBackIfNeeded(authority)) {
                Predicate<Entry<?>> theirs = entry -> entry.name().authority().equals(authority.name());
                boolean whole = authority.name().isEmpty();
                aside(deliveries -> tables.values().forEach(table -> table.outage(trouble, theirs, whole, deliveries)));
            }
        }
    }

    private Predicate<Entry<?>> entriesOf(ServerLink<?, ?> link) {
        return entry -> isAskedFor(link, entry.name().authority());
    }

    private boolean isAskedFor(ServerLink<?, ?> link, String authority) {
        return Optional.ofNullable(authorities.get(authority))
                .filter(servers -> servers.uses(link))
                .isPresent();
    }

    private Optional<AuthorityServers> authority(String name) {
        Optional<List<XdsServer>> servers = name.isEmpty()
                ? Optional.of(settings.bootstrap().servers())
                : settings.bootstrap().serversOf(name);
        return servers.map(list -> authorities.computeIfAbsent(
                name, key -> new AuthorityServers(key, list.size(), index -> links.link(list.get(index), this))));
    }

    private <T> ResourceTable<T> table(ResourceParser<T> parser) {
        @SuppressWarnings("unchecked") // the client takes only one parser for each type
        ResourceTable<T> table = (ResourceTable<T>)
                tables.computeIfAbsent(parser.type(), type -> new ResourceTable<>(parser, this::keep));
        return table;
    }

    private <T> void refuse(Subscriber<T> subscriber, String name, String reason) {
        Trouble trouble = new Trouble(Kind.BAD_NAME, name + ": " + reason);
        aside(deliveries -> deliveries.deliver(subscriber, new AmbientError<>(name, trouble)));
    }

    /** Events that belong to no answer: nothing waits for them. */
    private void aside(Consumer<Deliveries> events) {
        Deliveries deliveries = new Deliveries(loop, () -> {});
        events.accept(deliveries);
        deliveries.seal();
    }
}
