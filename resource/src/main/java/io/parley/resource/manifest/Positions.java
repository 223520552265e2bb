package io.parley.resource.manifest;

import io.parley.resource.text.Position;
import io.parley.resource.text.TextReader;
import io.parley.resource.text.YamlPositions;
import io.parley.resource.text.YamlPositions.Place;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Adds lines and columns to problems. Only texts with problems pay for it. */
final class Positions {
    private Positions() {}

    static List<Problem> fill(List<Problem> problems, byte[] bytes) {
        if (problems.stream().allMatch(problem -> problem.at() != null)) {
            return problems;
        }
        Map<Place, Position> positions = TextReader.decode(bytes)
                .map(text -> YamlPositions.find(
                        text, problems.stream().map(Positions::place).collect(Collectors.toSet())))
                .orElse(Map.of());
        return problems.stream()
                .map(problem -> problem.at() != null ? problem : problem.at(positions.get(place(problem))))
                .toList();
    }

    private static Place place(Problem problem) {
        return new Place(problem.document(), problem.violation().path());
    }
}
