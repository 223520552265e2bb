package io.parley.proxy.gateway;

import static org.awaitility.Awaitility.await;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.SessionProtocol;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Clients that send one request after the other, half of them over each version of HTTP, until they are told to stop. */
final class Load {
    private final AtomicInteger answered = new AtomicInteger();
    private final List<String> wrong = new CopyOnWriteArrayList<>();
    private final List<Thread> clients = new ArrayList<>();
    private volatile boolean over;

    Load(int port, int count) {
        for (int i = 0; i < count; i++) {
            SessionProtocol protocol = i % 2 == 0 ? SessionProtocol.H1C : SessionProtocol.H2C;
            clients.add(Thread.ofVirtual().start(() -> run(port, protocol)));
        }
    }

    private void run(int port, SessionProtocol protocol) {
        var client = Calls.client(protocol, port);
        while (!over) {
            try {
                var answer = Calls.start(client, HttpMethod.GET, "/", "").join();
                if (answer.status().code() != 200) {
                    wrong.add(answer.status() + " " + answer.contentUtf8());
                }
            } catch (RuntimeException e) {
                wrong.add(e.toString());
            }
            answered.incrementAndGet();
        }
    }

    /** Waits until so many more requests were answered. */
    void awaitMore(int count) {
        int goal = answered.get() + count;
        await().atMost(Duration.ofSeconds(30)).until(() -> answered.get() >= goal);
    }

    /** Stops, and tells of every answer that was not 200. */
    List<String> finish() throws InterruptedException {
        over = true;
        for (Thread client : clients) {
            client.join();
        }
        return wrong;
    }
}
