package io.parley.proxy.export;

import io.parley.proxy.Surroundings;
import io.parley.proxy.config.ListenerConfig;
import io.parley.proxy.exchange.HttpLoop;
import io.parley.proxy.http.Telling;
import io.parley.proxy.log.Entry;
import io.parley.proxy.log.LineLogs;
import io.parley.proxy.log.LogConfig;
import io.parley.proxy.log.LogConfig.Origin;
import io.parley.proxy.telemetry.Telemetry;
import io.parley.proxy.trace.OtlpSpans;
import io.parley.proxy.trace.Span;
import io.parley.proxy.trace.TraceConfig;
import io.parley.proxy.trace.TraceConfig.Collector;
import io.parley.proxy.trace.ZipkinSpans;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Everywhere that logs and traces go. Nothing here ever blocks who has something to tell. */
public final class Outlets implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Outlets.class);

    /** Whose spans go where. */
    private record Source(Collector collector, String service) {}

    private final Telemetry telemetry;
    private final LineLogs lines;
    private final Map<Source, Exporter<Span>> spans = new ConcurrentHashMap<>();
    private final Map<Origin, Exporter<OtlpRecords.Item>> records = new ConcurrentHashMap<>();
    private @Nullable HttpLoop loop;

    public Outlets(Surroundings surroundings, Telemetry telemetry) {
        this.telemetry = telemetry;
        this.lines = new LineLogs(surroundings.ticker(), place -> telemetry.outflow("log", place));
    }

    /** Collectors are told from this event loop. Called before anything else is. */
    public void start(HttpLoop here) {
        loop = here;
    }

    /** Tells a log of a request or a connection. */
    public void log(LogConfig log, Entry entry) {
        switch (log) {
            case LogConfig.Lines to -> lines.write(to, entry);
            case LogConfig.Records to ->
                records.computeIfAbsent(to.origin(), this::recordsOf).offer(new OtlpRecords.Item(to, entry));
        }
    }

    /** Tells a collector of a request. */
    public void span(TraceConfig trace, Span span) {
        Source source = new Source(trace.collector(), trace.service());
        spans.computeIfAbsent(source, this::spansOf).offer(span);
    }

    private Exporter<OtlpRecords.Item> recordsOf(Origin origin) {
        return started(
                "log",
                origin.cluster(),
                new Language.Grpc<>(
                        origin.cluster(),
                        OtlpRecords.METHOD,
                        items -> OtlpRecords.request(origin.resource(), items).toByteArray()));
    }

    private Exporter<Span> spansOf(Source source) {
        return started(
                "span",
                source.collector.cluster(),
                switch (source.collector) {
                    case Collector.Otlp(var cluster) ->
                        new Language.Grpc<>(
                                cluster,
                                OtlpSpans.METHOD,
                                items ->
                                        OtlpSpans.request(source.service, items).toByteArray());
                    case Collector.Zipkin(var _, var authority, var path) ->
                        new Language.Json<>(authority, path, items -> ZipkinSpans.list(source.service, items));
                });
    }

    private <T> Exporter<T> started(String kind, String cluster, Language<T> language) {
        HttpLoop here = Objects.requireNonNull(loop);
        Exporter<T> exporter = new Exporter<>(here, cluster, language, telemetry.outflow(kind, cluster));
        here.loop().execute(() -> here.add(exporter));
        return exporter;
    }

    /** Closes what is no longer asked for, when what is under way there has been told. */
    public void update(Collection<ListenerConfig> listeners) {
        Set<LogConfig> logs = new HashSet<>();
        Set<Source> sources = new HashSet<>();
        for (ListenerConfig listener : listeners) {
            listener.routing().connectionLogs().forEach(logs::add);
            listener.routing().requests().forEach(http -> {
                Telling telling = http.telling();
                logs.addAll(telling.logs());
                TraceConfig trace = telling.trace();
                if (trace != null) {
                    sources.add(new Source(trace.collector(), trace.service()));
                }
            });
        }
        lines.retain(logs.stream()
                .flatMap(log -> log instanceof LogConfig.Lines(var place, var _) ? Stream.of(place) : Stream.empty())
                .collect(Collectors.toSet()));
        retain(spans, sources);
        retain(
                records,
                logs.stream()
                        .flatMap(log -> log instanceof LogConfig.Records to ? Stream.of(to.origin()) : Stream.empty())
                        .collect(Collectors.toSet()));
    }

    private <K, T> void retain(Map<K, Exporter<T>> exporters, Set<K> wanted) {
        exporters.entrySet().removeIf(entry -> {
            boolean gone = !wanted.contains(entry.getKey());
            if (gone) {
                Objects.requireNonNull(loop).loop().execute(entry.getValue()::leave);
            }
            return gone;
        });
    }

    /** Lets collectors take what they have not been told yet, for a while. */
    public void finish(Duration time) throws InterruptedException {
        CompletableFuture<?>[] all = Stream.concat(spans.values().stream(), records.values().stream())
                .map(Exporter::hurry)
                .toArray(CompletableFuture[]::new);
        try {
            CompletableFuture.allOf(all).get(time.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            LOG.warn("log entries or spans are lost: no collector took them in {} ms", time.toMillis());
        }
    }

    @Override
    public void close() {
        lines.close();
    }
}
