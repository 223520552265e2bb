package io.parley.control.explain;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Settings about requests, which there are none of where nobody looks into the bytes. */
final class RequestSettings {
    private static final Pattern FIELD =
            Pattern.compile("(MeshTimeout|MeshRetry|MeshRateLimit) ([^ ]*\\.)?(http|grpc)\\..*");
    private static final Pattern KIND = Pattern.compile("(MeshHTTPRoute|MeshFaultInjection) .*");

    private RequestSettings() {}

    /** All but those, and one step that says so. */
    static List<Step> leaveOut(List<Step> settings, String service) {
        List<Step> left = new ArrayList<>(settings);
        left.removeIf(RequestSettings::isAboutRequests);
        int count = settings.size() - left.size();
        if (count > 0) {
            left.add(Step.plain(
                    "settings about requests",
                    count + " not used",
                    service + " is opaque: nobody looks for requests in its bytes"));
        }
        return left;
    }

    private static boolean isAboutRequests(Step step) {
        return FIELD.matcher(step.about()).matches()
                || KIND.matcher(step.about()).matches();
    }
}
