package io.parley.resource.mesh;

import io.parley.resource.read.Field;
import io.parley.resource.read.Fields;
import io.parley.resource.read.IntRange;
import java.util.Map;
import java.util.regex.Pattern;

/** What proxies have in common: addresses, ports and the tags that name their service. */
final class Networks {
    static final String ADDRESS = "an IP address or host name that others can reach";
    static final String IP = "an IP address";
    static final String SERVICE_TAG = "kuma.io/service";
    static final String PROTOCOL_TAG = "kuma.io/protocol";

    private static final Pattern IPV4 = Pattern.compile("((25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])(\\.(?!$)|$)){4}");
    private static final Pattern IPV6 = Pattern.compile("(?=.*:.*:)[0-9a-fA-F:.]{2,45}");
    private static final Pattern NUMBERS_AND_DOTS = Pattern.compile("[0-9.]+");
    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9_.-]{0,252})");

    private Networks() {}

    static boolean isIp(String text) {
        return IPV4.matcher(text).matches() || IPV6.matcher(text).matches();
    }

    /** 0.0.0.0 and :: are places to listen, not addresses of anybody. */
    static boolean isAddress(String text) {
        boolean unspecified = text.equals("0.0.0.0") || text.equals("::");
        boolean host =
                HOST.matcher(text).matches() && !NUMBERS_AND_DOTS.matcher(text).matches();
        return !unspecified && (isIp(text) || host);
    }

    static Integer adminPort(Fields admin) {
        return admin.at("port").requireInteger(IntRange.PORT);
    }

    static Map<String, String> serviceTags(Field field) {
        Map<String, String> tags = field.tags();
        if (!tags.containsKey(SERVICE_TAG)) {
            field.fail(SERVICE_TAG + " is missing (expected: the name of the service)");
        }
        return tags;
    }
}
