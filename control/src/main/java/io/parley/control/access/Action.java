package io.parley.control.access;

/** What a caller wants to do, as far as it matters for being allowed to. */
public enum Action {
    READ,
    READ_SECRET,
    WRITE,
    ISSUE_TOKEN;

    /** Readers may look, but not at secrets; everything else takes an administrator. */
    public boolean isAllowedTo(Caller caller) {
        return switch (this) {
            case READ -> caller.isAdmin() || caller.groups().contains(Caller.READER);
            case READ_SECRET, WRITE, ISSUE_TOKEN -> caller.isAdmin();
        };
    }
}
