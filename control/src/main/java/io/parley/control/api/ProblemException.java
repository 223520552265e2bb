package io.parley.control.api;

/** Carries a problem from where it is found to where answers are written. No stack: it is an answer, not a fault. */
final class ProblemException extends RuntimeException {
    private final transient Problem problem;

    ProblemException(Problem problem) {
        super(problem.detail(), null, false, false);
        this.problem = problem;
    }

    Problem problem() {
        return problem;
    }
}
