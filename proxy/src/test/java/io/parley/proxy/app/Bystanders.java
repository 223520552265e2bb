package io.parley.proxy.app;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Clients that do nothing, to see by them that a proxy has looked at all of its connections. */
public final class Bystanders {
    private static final int MORE_THAN_LOOPS = 8;
    private static final String GET = "GET /bystander HTTP/1.1\r\nHost: x\r\n\r\n";

    private Bystanders() {}

    /** Lets so much time pass, which is more than connections may be idle, until the proxy has done all that is due then. */
    public static void see(HttpProxy proxy, Duration time) throws IOException {
        List<Client> clients = new ArrayList<>();
        for (int i = 0; i < MORE_THAN_LOOPS; i++) {
            Client client = Client.to(proxy.address());
            client.ask(GET);
            clients.add(client);
        }
        proxy.pass(time);
        for (Client client : clients) {
            if (!client.readAll().isEmpty()) {
                throw new IllegalStateException("a bystander was told something");
            }
            client.close();
        }
    }
}
