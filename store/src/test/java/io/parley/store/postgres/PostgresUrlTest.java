package io.parley.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PostgresUrlTest {
    @Test
    void readsWhatPeopleWrite() {
        var url = PostgresUrl.parse("postgres://me:p%40ss%2Fw+rd@db.example:6543/mesh?sslmode=require");
        assertThat(url)
                .isEqualTo(new PostgresUrl("db.example:6543", "mesh", "me", "p@ss/w+rd", Map.of("sslmode", "require")));
    }

    @Test
    void namesTheDatabaseAfterTheUserIfNotTold() {
        var url = PostgresUrl.parse("postgresql://me@[::1]:5432");
        assertThat(url.database()).isEqualTo("me");
        assertThat(url.hosts()).isEqualTo("[::1]:5432");
        assertThat(url.password()).isEmpty();
    }

    @Test
    void takesSeveralHosts() {
        var url = PostgresUrl.parse("postgres://me@a:1,b:2/mesh?target_session_attrs=read-write");
        assertThat(url.hosts()).isEqualTo("a:1,b:2");
        assertThat(url.options()).containsEntry("targetServerType", "primary");
    }

    @Test
    void demandsProofOfIdentityFromAnotherMachineUnlessToldOtherwise() {
        assertThat(PostgresUrl.parse("postgres://me@db/mesh").options()).containsEntry("sslmode", "verify-full");
        assertThat(PostgresUrl.parse("postgres://me@localhost.evil.example/mesh")
                        .options())
                .containsEntry("sslmode", "verify-full");
        assertThat(PostgresUrl.parse("postgres://me@127.0.0.1:5432/mesh").options())
                .containsEntry("sslmode", "prefer");
        assertThat(PostgresUrl.parse("postgres://me@db/mesh?sslmode=disable").options())
                .containsEntry("sslmode", "disable");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mysql://me:hunter2@db/mesh",
                "me:hunter2@db/mesh",
                "postgres://:hunter2@db/mesh",
                "postgres://me:hunter2@/mesh",
                "postgres://me:hunter2@db/",
                "postgres://me:hunter2%@db/mesh",
                "postgres://me:hunter2@db/mesh?socketFactory=evil.Factory",
                "postgres://me:hunter2@db/mesh?loggerFile=/etc/passwd"
            })
    void refusesAnythingElseWithoutShowingThePassword(String text) {
        assertThatThrownBy(() -> PostgresUrl.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("hunter2");
    }

    @Test
    void neverShowsItsPassword() {
        assertThat(PostgresUrl.parse("postgres://me:hunter2@db/mesh")).hasToString("postgres://me@db/mesh");
    }
}
