package io.parley.proxy.exchange;

import org.jspecify.annotations.Nullable;

/** The account of a client's requests, kept from one request to the next as long as the same is to be told of them. */
final class Ledger {
    private final HttpLoop loop;
    private final Connection connection;
    private final RequestSource source;
    private Way.@Nullable Table told;
    private Account account = Account.NONE;

    Ledger(HttpLoop loop, Connection connection, RequestSource source) {
        this.loop = loop;
        this.connection = connection;
        this.source = source;
    }

    /** For a request that this table is for. */
    Account account(Way.Table table) {
        if (told != table) {
            told = table;
            account = loop.accounts().open(connection, table.config(), source.version());
        }
        return account;
    }
}
