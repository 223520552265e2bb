package io.parley.store.engine;

import io.parley.resource.Document;
import io.parley.resource.Resource;
import io.parley.store.Event;
import io.parley.store.Stored;
import java.util.Map;

/** Roughly how many bytes of text something holds, for limits on what is read or kept. */
public final class Weight {
    private static final int OVERHEAD = 100;

    private Weight() {}

    public static long of(Event event) {
        return switch (event) {
            case Event.Written(Stored stored) -> of(stored);
            case Event.Deleted _ -> OVERHEAD;
        };
    }

    public static long of(Stored stored) {
        Resource resource = stored.resource();
        Document status = resource.status();
        return OVERHEAD
                + of(resource.labels())
                + of(resource.annotations())
                + resource.spec().json().length()
                + (status == null ? 0 : status.json().length());
    }

    private static long of(Map<String, String> texts) {
        long sum = 0;
        for (var text : texts.entrySet()) {
            sum += text.getKey().length() + text.getValue().length();
        }
        return sum;
    }
}
