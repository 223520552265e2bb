package io.parley.resource.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.parley.resource.Document;
import io.parley.resource.Result;
import org.junit.jupiter.api.Test;

class SpecReaderTest {
    private record Inner(int knob) {}

    private record Spec(Inner inner) {}

    private static final SpecReader<Spec> READER = SpecReader.of(fields -> new Spec(fields.at("inner")
            .requireObject(inner -> new Inner(inner.at("knob").requireInteger(new IntRange(1, 9))))));

    @Test
    void whatPeopleWriteMustBeKnownToTheLastField() {
        assertThat(READER.read(new Document("{\"inner\":{\"knob\":1,\"knbo\":2}}").tree(), Path.ROOT))
                .isInstanceOfSatisfying(
                        Result.Rejected.class,
                        rejected -> assertThat(rejected.toString()).contains("inner.knbo", "unknown field"));
    }

    @Test
    void whatANewerReleaseHasStoredIsReadAsFarAsItIsKnown() {
        assertThat(READER.read(new Document("{\"inner\":{\"knob\":1,\"newer\":2},\"more\":{}}")))
                .isEqualTo(new Result.Accepted<>(new Spec(new Inner(1))));
        assertThat(READER.read(new Document("{\"inner\":{\"knob\":10,\"newer\":2}}")))
                .isInstanceOf(Result.Rejected.class);
    }
}
