package io.parley.proxy.log;

import io.opentelemetry.proto.common.v1.AnyValue;
import io.parley.proxy.log.Template.Absence;
import java.util.List;
import java.util.stream.Stream;

/** What a record of OpenTelemetry has as its body: a value of its protocol whose texts are templates. */
public sealed interface RecordBody {
    /** A text. */
    record Text(Template template) implements RecordBody {}

    /** Several values. */
    record Items(List<RecordBody> values) implements RecordBody {
        public Items {
            values = List.copyOf(values);
        }
    }

    /** Several values with names. */
    record Members(List<Member> values) implements RecordBody {
        public Members {
            values = List.copyOf(values);
        }
    }

    /** A value and its name. */
    record Member(String key, RecordBody value) {}

    /** The same in each record. */
    record Fixed(AnyValue value) implements RecordBody {}

    /** All that is to be filled in. */
    default Stream<Template> templates() {
        return switch (this) {
            case Text(var template) -> Stream.of(template);
            case Items(var values) -> values.stream().flatMap(RecordBody::templates);
            case Members(var values) -> values.stream().flatMap(member -> member.value.templates());
            case Fixed _ -> Stream.empty();
        };
    }

    /** With what is known of this entry. */
    default AnyValue of(Entry entry) {
        AnyValue.Builder value = AnyValue.newBuilder();
        switch (this) {
            case Text(var template) -> value.setStringValue(template.text(entry, Absence.SHOWN));
            case Items(var values) -> {
                var list = value.getArrayValueBuilder();
                values.forEach(item -> list.addValues(item.of(entry)));
            }
            case Members(var values) -> {
                var list = value.getKvlistValueBuilder();
                values.forEach(
                        member -> list.addValuesBuilder().setKey(member.key).setValue(member.value.of(entry)));
            }
            case Fixed(var fixed) -> value.mergeFrom(fixed);
        }
        return value.build();
    }
}
