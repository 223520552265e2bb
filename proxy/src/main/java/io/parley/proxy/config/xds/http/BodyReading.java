package io.parley.proxy.config.xds.http;

import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.parley.proxy.log.RecordBody;
import java.util.ArrayList;
import java.util.List;

/** Reads the body of records of OpenTelemetry: a value whose texts, however deep, have commands in them. */
final class BodyReading {
    private static final int MAX_DEPTH = 16;

    private BodyReading() {}

    static RecordBody body(AnyValue value, Problems problems) {
        return body(value, problems, 1);
    }

    private static RecordBody body(AnyValue value, Problems problems, int depth) {
        if (depth > MAX_DEPTH) {
            problems.add("", "values in values (expected: at most " + MAX_DEPTH + " deep)");
            return new RecordBody.Fixed(AnyValue.getDefaultInstance());
        }
        return switch (value.getValueCase()) {
            case STRING_VALUE -> new RecordBody.Text(LogReading.template(value.getStringValue(), problems));
            case ARRAY_VALUE -> items(value.getArrayValue().getValuesList(), problems.under("array_value"), depth);
            case KVLIST_VALUE -> members(value.getKvlistValue().getValuesList(), problems.under("kvlist_value"), depth);
            default -> new RecordBody.Fixed(value);
        };
    }

    private static RecordBody items(List<AnyValue> values, Problems problems, int depth) {
        List<RecordBody> items = new ArrayList<>();
        for (int i = 0; i < values.size(); i++) {
            items.add(body(values.get(i), problems.under("values[" + i + "]"), depth + 1));
        }
        return new RecordBody.Items(items);
    }

    private static RecordBody members(List<KeyValue> values, Problems problems, int depth) {
        List<RecordBody.Member> members = new ArrayList<>();
        for (KeyValue each : values) {
            Problems here = problems.under("values[" + each.getKey() + "]");
            members.add(new RecordBody.Member(each.getKey(), body(each.getValue(), here, depth + 1)));
        }
        return new RecordBody.Members(members);
    }
}
