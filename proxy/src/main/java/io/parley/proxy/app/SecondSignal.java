package io.parley.proxy.app;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntConsumer;

/**
 * Hears a SIGTERM or SIGINT (Ctrl-C) that is not the first of them. The JVM runs its hooks at the first one and is deaf to those that follow while they run. By
 * reflection: sun.misc.Signal is all that the JDK has for it (JEP 260 keeps it), and the compiler warns of whoever names it.
 */
final class SecondSignal {
    private static final List<String> NAMES = List.of("TERM", "INT");

    private SecondSignal() {}

    /** Gives {@code again} the number of each one after the first; what the JVM does at each it goes on to do. */
    static void goesTo(IntConsumer again) {
        AtomicBoolean first = new AtomicBoolean(true);
        try {
            for (String name : NAMES) {
                hear(name, first, again);
            }
        } catch (ReflectiveOperationException e) {
            // A JVM that was told to leave signals alone (-Xrs): there the first one ends it.
        }
    }

    private static void hear(String name, AtomicBoolean first, IntConsumer again) throws ReflectiveOperationException {
        Class<?> signal = Class.forName("sun.misc.Signal");
        Class<?> handler = Class.forName("sun.misc.SignalHandler");
        Method usually = handler.getMethod("handle", signal);
        Object heard = signal.getConstructor(String.class).newInstance(name);
        int number = (int) signal.getMethod("getNumber").invoke(heard);
        CompletableFuture<Object> usual = new CompletableFuture<>();
        Object ours = Proxy.newProxyInstance(handler.getClassLoader(), new Class<?>[] {handler}, (_, _, arguments) -> {
            if (!first.getAndSet(false)) {
                again.accept(number);
            }
            return usually.invoke(usual.join(), arguments);
        });
        usual.complete(signal.getMethod("handle", signal, handler).invoke(null, heard, ours));
    }
}
