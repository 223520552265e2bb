package io.parley.agreement.backend;

import java.util.List;

/** How a backend is spoken to, or that it cannot be. */
public sealed interface Resolution {
    /**
     * One of these, the first that the backend takes.
     *
     * @param remarks what its owner should know although it works
     */
    record Speak(List<BackendProtocol> protocols, List<String> remarks) implements Resolution {
        public Speak {
            protocols = List.copyOf(protocols);
            remarks = List.copyOf(remarks);
            if (protocols.isEmpty()) {
                throw new IllegalArgumentException("protocols: none (expected: at least one)");
            }
        }

        public BackendProtocol preferred() {
            return protocols.getFirst();
        }
    }

    /**
     * The route cannot speak what was declared.
     *
     * @param found the value that cannot be spoken
     * @param allowed what could be
     */
    record Unsupported(String found, String allowed) implements Resolution {}
}
