package io.parley.cli.gateway;

import com.linecorp.armeria.common.HttpMethod;
import java.util.HashMap;
import java.util.Map;

/**
 * What a client sends.
 *
 * @param scheme a session protocol of Armeria's: {@code h1c}, {@code h2c}, {@code h1}, {@code h2}
 * @param dialled the name that is looked up, and sent before the first byte of TLS; all names lead to this machine
 */
record Request(
        String scheme,
        String dialled,
        int port,
        HttpMethod method,
        String host,
        String path,
        Map<String, String> headers) {
    Request {
        headers = Map.copyOf(headers);
    }

    static Request get(int port, String host, String path) {
        return new Request("h1c", host, port, HttpMethod.GET, host, path, Map.of());
    }

    Request to(String name) {
        return new Request(scheme, dialled, port, method, name, path, headers);
    }

    Request with(String name, String value) {
        Map<String, String> more = new HashMap<>(headers);
        more.put(name, value);
        return new Request(scheme, dialled, port, method, host, path, more);
    }

    Request by(HttpMethod other) {
        return new Request(scheme, dialled, port, other, host, path, headers);
    }

    Request in(String otherScheme) {
        return new Request(otherScheme, dialled, port, method, host, path, headers);
    }
}
