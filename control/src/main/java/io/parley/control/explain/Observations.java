package io.parley.control.explain;

import java.util.List;

/** What came to light of a data plane, as opposed to what is declared. May block for the store's sake. */
public interface Observations {
    /** Where nobody looks. */
    Observations NONE = new Observations() {
        @Override
        public List<Observed> reported(String mesh, String dataplane) {
            return List.of();
        }

        @Override
        public List<String> problems(String mesh, String dataplane) {
            return List.of();
        }
    };

    /**
     * Something that a proxy found out.
     *
     * @param subject a service that it sends to, or {@code port N} of its workload
     * @param rule by which it decided
     */
    record Observed(String subject, String value, String because, String rule) {}

    /** What its proxy reported last. */
    List<Observed> reported(String mesh, String dataplane);

    /** What could not be made of its configuration; all else was. */
    List<String> problems(String mesh, String dataplane);
}
