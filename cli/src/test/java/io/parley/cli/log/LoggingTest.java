package io.parley.cli.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoggingTest {
    /** They write the stack of each fault of a stranger; their names are the library's own affair, and may change. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "com.linecorp.armeria.internal.common.AbstractHttp2ConnectionHandler",
                "com.linecorp.armeria.server.HttpServerPipelineConfigurator"
            })
    void strangersFaultsAreNotToldByTheLibrary(String logger) throws Exception {
        assertThat(Class.forName(logger, false, getClass().getClassLoader())).isNotNull();
        LoggerContext context = new LoggerContext();
        Logging logging = new Logging();
        logging.setContext(context);
        logging.configure(context);

        assertThat(context.getLogger(logger).getEffectiveLevel()).isEqualTo(Level.ERROR);
    }
}
