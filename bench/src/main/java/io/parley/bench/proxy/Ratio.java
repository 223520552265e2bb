package io.parley.bench.proxy;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * What ours took of what the best other took, round by round: a machine that is slower for a while is slower for both, so that the
 * rounds' ratios lie closer together than what each took.
 *
 * @param median of all rounds
 * @param lower quartile, and {@code upper}, the other one: as far as they are apart, the median is not to be trusted
 */
record Ratio(double median, double lower, double upper) {
    /** By what each took in each round, of which the first is ours; the best other is the one with the lowest median. */
    static Ratio ofOursToBest(Map<Subject, List<Double>> rounds) {
        List<List<Double>> peers = rounds.entrySet().stream()
                .filter(entry -> entry.getKey().isPeer())
                .map(Map.Entry::getValue)
                .toList();
        List<Double> ours = peers.getFirst();
        List<Double> best = peers.stream()
                .skip(1)
                .min(Comparator.comparingDouble(Contest::median))
                .orElseThrow(() -> new IllegalStateException("nobody to compare with"));
        double[] ratios = IntStream.range(0, ours.size())
                .mapToDouble(round -> ours.get(round) / best.get(round))
                .sorted()
                .toArray();
        return new Ratio(
                ratios[ratios.length / 2], ratios[ratios.length / 4], ratios[(ratios.length - 1) - ratios.length / 4]);
    }

    @Override
    public String toString() {
        return "%.2f [%.2f to %.2f]".formatted(median, lower, upper);
    }
}
