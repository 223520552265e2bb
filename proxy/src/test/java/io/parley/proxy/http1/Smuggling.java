package io.parley.proxy.http1;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Requests that one reader may take for one and another for two. Behind each waits a second request, which nobody may ever see. */
final class Smuggling {
    static final String HIDDEN = "GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n";

    private static final List<String> CODINGS = List.of(
            "Transfer-Encoding: xchunked",
            "Transfer-Encoding: chunked, identity",
            "Transfer-Encoding: identity, chunked",
            "Transfer-Encoding: identity",
            "Transfer-Encoding: gzip, chunked",
            "Transfer-Encoding: chunked, chunked",
            "Transfer-Encoding: \"chunked\"",
            "Transfer-Encoding: chunked;q=1",
            "Transfer-Encoding: ,chunked",
            "Transfer-Encoding: chunked,",
            "Transfer-Encoding: cow",
            "Transfer-Encoding: ",
            "Transfer-Encoding : chunked",
            " Transfer-Encoding: chunked",
            "Transfer-Encoding\t: chunked",
            "Transfer-Encoding: \u000bchunked",
            "Transfer-Encoding: chunked\u0000",
            "Transfer-Encoding: chu\u0000nked",
            "Transfer-Encoding:\r\n chunked",
            "X: y\nTransfer-Encoding: chunked",
            "X: y\rTransfer-Encoding: chunked",
            "Transfer-Encoding: identity\r\nTransfer-Encoding: chunked",
            "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
            "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity",
            "Transfer_Encoding: chunked",
            "Transfer-Encoding: chun\rked");

    private static final List<String> LENGTHS = List.of(
            "Content-Length: +4",
            "Content-Length: -4",
            "Content-Length: 4,4",
            "Content-Length: 4, 4",
            "Content-Length: 4 4",
            "Content-Length: 0x4",
            "Content-Length: 4.0",
            "Content-Length: 4e0",
            "Content-Length: ",
            "Content-Length: 4\u0000",
            "Content-Length: \u00b2",
            "Content-Length: 99999999999999999999",
            "Content-Length: 4\r\nContent-Length: 4",
            "Content-Length: 4\r\nContent-Length: 5",
            "Content-Length: 0\r\nContent-Length: 4",
            "Content-Length: 4;",
            "Content-Length: 4_0",
            "Content-Length: '4'",
            "Content-Length: \"4\"",
            "Content-Length: 4\t5",
            "Content-Length : 4",
            "Content_Length: 4",
            " Content-Length: 4",
            "Content-Length:\r\n 4",
            "X: y\nContent-Length: 4",
            "X: y\rContent-Length: 4");

    private static final List<String> LINES = List.of(
            "GET  / HTTP/1.1",
            "GET / HTTP/1.1 ",
            "GET\t/ HTTP/1.1",
            "GET /\tHTTP/1.1",
            "GET / HTTP/2.0",
            "GET / HTTP/1.9",
            "GET / HTTP/1.10",
            "GET / HTTP/01.1",
            "GET / http/1.1",
            "GET / HTTP/1",
            "GET / HTTP/0.9",
            "GET / HTPP/1.1",
            "GET /",
            "GET",
            "GET / / HTTP/1.1",
            "G ET / HTTP/1.1",
            "GET / HTTP/1.1\u0000",
            "\u0000GET / HTTP/1.1",
            "\u0001GET / HTTP/1.1",
            " GET / HTTP/1.1",
            "GET /a#b HTTP/1.1",
            "GET /a\u0000b HTTP/1.1",
            "GET /\u00ff HTTP/1.1",
            "GET /a\u007f HTTP/1.1",
            "GET x HTTP/1.1",
            "GET http:// HTTP/1.1",
            "GET ftp://x/ HTTP/1.1",
            "GET http://a@b/ HTTP/1.1",
            "GET * HTTP/1.1",
            "CONNECT x:80 HTTP/1.1",
            "CONNECT /x HTTP/1.1",
            "connect /x HTTP/1.1",
            "(GET) / HTTP/1.1",
            "GET / HTTP/1.1\nX: y",
            "GET / HTTP/1.1\rX: y");

    private static final List<String> HOSTS = List.of(
            "X: y",
            "Host: x\r\nHost: y",
            "Host: x\r\nHost: x",
            "Host: a b",
            "Host: a/b",
            "Host: a?b",
            "Host: a@b",
            "Host: a,b",
            "Host : x",
            " Host: x",
            "Host: x\u0000",
            "Host: x\r y");

    private static final List<String> FIELDS = List.of(
            "A: b\r\n c",
            "A: b\r\n\tc",
            "no colon",
            ": b",
            "a b: c",
            "a\u0000: b",
            "a: b\u0000c",
            "a: b\rc",
            "a: b\nc",
            "a@b: c",
            "\u00e4: b",
            "a\r: b",
            "a(b): c",
            "x_forwarded_for: c",
            "transfer_encoding: chunked",
            "a: b\u007f",
            "a: b\u0008");

    private static final List<String> CHUNKS = List.of(
            "0x4\r\nabcd\r\n0\r\n\r\n",
            "-0\r\n\r\n",
            "+4\r\nabcd\r\n0\r\n\r\n",
            "4 \r\nabcd\r\n0\r\n\r\n",
            " 4\r\nabcd\r\n0\r\n\r\n",
            "4\nabcd\r\n0\r\n\r\n",
            "4\rabcd\r\n0\r\n\r\n",
            "4\r\nabcdX\r\n0\r\n\r\n",
            "4\r\nabcd\n0\r\n\r\n",
            "4\r\nabcde\r\n0\r\n\r\n",
            "4\r\nabcd0\r\n\r\n",
            "100000004\r\nabcd\r\n0\r\n\r\n",
            "00000000000000004\r\nabcd\r\n0\r\n\r\n",
            "4;x=\"a\r\nb\"\r\nabcd\r\n0\r\n\r\n",
            "4;\u0000\r\nabcd\r\n0\r\n\r\n",
            "4;a\nb\r\nabcd\r\n0\r\n\r\n",
            "4;a\rb\r\nabcd\r\n0\r\n\r\n",
            "4;" + "a".repeat(300) + "\r\nabcd\r\n0\r\n\r\n",
            "g\r\n\r\n",
            "\r\n\r\n",
            "0\r\nContent-Length: 5\r\n\r\n",
            "0\r\nTransfer-Encoding: chunked\r\n\r\n",
            "0\r\nHost: y\r\n\r\n",
            "0\r\nx y: z\r\n\r\n",
            "0\r\n x: y\r\n\r\n",
            "0\r\nx: y\nz: w\r\n\r\n",
            "0\r\nno colon\r\n\r\n",
            "0\r\n\n",
            "0;\r\r\n\r\n");

    private Smuggling() {}

    /** Whole inputs by name; every one must be refused. */
    static Map<String, String> refused() {
        Map<String, String> all = new LinkedHashMap<>();
        for (String coding : CODINGS) {
            put(all, "coding", post(coding, "0\r\n\r\n"));
            put(all, "length-and-coding", post("Content-Length: 5\r\n" + coding, "0\r\n\r\n"));
        }
        put(all, "length-and-coding", post("Content-Length: 5\r\nTransfer-Encoding: chunked", "0\r\n\r\n"));
        put(all, "coding-and-length", post("Transfer-Encoding: chunked\r\nContent-Length: 5", "0\r\n\r\n"));
        put(all, "old", "POST / HTTP/1.0\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + HIDDEN);
        LENGTHS.forEach(length -> put(all, "length", post(length, "abcd")));
        LINES.forEach(line -> put(all, "line", line + "\r\nHost: x\r\n\r\n" + HIDDEN));
        HOSTS.forEach(host -> put(all, "host", "GET / HTTP/1.1\r\n" + host + "\r\n\r\n" + HIDDEN));
        FIELDS.forEach(field -> put(all, "field", "GET / HTTP/1.1\r\nHost: x\r\n" + field + "\r\n\r\n" + HIDDEN));
        CHUNKS.forEach(chunks -> put(all, "chunks", post("Transfer-Encoding: chunked", chunks)));
        put(all, "many", "GET / HTTP/1.1\r\nHost: x\r\n" + "a: b\r\n".repeat(100) + "\r\n" + HIDDEN);
        put(all, "large", "GET / HTTP/1.1\r\nHost: x\r\na: " + "b".repeat(61 * 1_024) + "\r\n\r\n" + HIDDEN);
        put(all, "long", "GET /" + "a".repeat(9 * 1_024) + " HTTP/1.1\r\nHost: x\r\n\r\n" + HIDDEN);
        return all;
    }

    private static void put(Map<String, String> all, String kind, String input) {
        all.put(kind + " " + (all.size() + 1), input);
    }

    private static String post(String framing, String body) {
        return "POST / HTTP/1.1\r\nHost: x\r\n" + framing + "\r\n\r\n" + body + HIDDEN;
    }

    /** Inputs that are beyond doubt, and are one request. */
    static List<String> accepted() {
        List<String> all = new ArrayList<>();
        all.add("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
        all.add("\r\nGET / HTTP/1.1\r\nHost:\tx\t\r\n\r\n");
        all.add("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 35\r\n\r\n" + HIDDEN);
        all.add("POST / HTTP/1.1\r\nHost: x\r\ntransfer-encoding:CHUNKED\r\n\r\n23;a=b\r\n" + HIDDEN + "\r\n0\r\n\r\n");
        all.add("GET http://y/a HTTP/1.1\r\nHost: x\r\n\r\n");
        all.add("OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n");
        return all;
    }
}
