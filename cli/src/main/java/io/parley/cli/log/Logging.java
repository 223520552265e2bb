package io.parley.cli.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.spi.ContextAwareBase;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs to stderr, from the level that {@code PARLEY_LOG_LEVEL} names. In code rather than in a file, since reading XML is a sixth of the
 * time that a server takes to start; who wants something else names a file by {@code -Dlogback.configurationFile}.
 */
public final class Logging extends ContextAwareBase implements Configurator {
    private static final String OWN_FILE = "logback.configurationFile";
    private static final List<String> CHATTY = List.of("io.netty", "com.linecorp.armeria", "com.zaxxer.hikari");

    /** These tell each fault of a stranger with its stack: the control plane tells of them itself, in a line, once a minute. */
    private static final List<String> SPOKEN_FOR = List.of(
            "com.linecorp.armeria.internal.common.AbstractHttp2ConnectionHandler",
            "com.linecorp.armeria.server.HttpServerPipelineConfigurator");

    /** %replace keeps one event on one line, whatever a stranger put into it. */
    private static final String LINE =
            "%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} %-5level %logger{20} %replace(%msg){'[\\r\\n]+', ' ⏎ '}%n%ex";

    /** From now on nothing but warnings, for a program whose output is meant to be read. */
    public static void onlyWarnings() {
        if (LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME) instanceof ch.qos.logback.classic.Logger root) {
            root.setLevel(Level.WARN);
        }
    }

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        if (System.getProperty(OWN_FILE) != null) {
            return ExecutionStatus.INVOKE_NEXT_IF_ANY;
        }
        for (String name : CHATTY) {
            context.getLogger(name).setLevel(Level.WARN);
        }
        for (String name : SPOKEN_FOR) {
            context.getLogger(name).setLevel(Level.ERROR);
        }
        var root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.toLevel(System.getenv("PARLEY_LOG_LEVEL"), Level.INFO));
        root.addAppender(stderr(context));
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    private static ConsoleAppender<ILoggingEvent> stderr(LoggerContext context) {
        var encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern(LINE);
        encoder.start();
        var appender = new ConsoleAppender<ILoggingEvent>();
        appender.setContext(context);
        appender.setName("stderr");
        appender.setTarget("System.err");
        appender.setEncoder(encoder);
        appender.start();
        return appender;
    }
}
