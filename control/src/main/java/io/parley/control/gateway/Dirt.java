package io.parley.control.gateway;

import io.parley.control.gateway.model.Name;
import io.parley.control.gateway.model.RouteName;
import java.util.LinkedHashSet;
import java.util.Set;

/** What a step made necessary, in the order in which it is done. */
final class Dirt {
    final Set<String> classesToTell = new LinkedHashSet<>();
    final Set<Name> gatewaysToCheck = new LinkedHashSet<>();
    final Set<RouteName> routesToResolve = new LinkedHashSet<>();
    final Set<RouteName> routesToAttach = new LinkedHashSet<>();
    final Set<Name> gatewaysToWrite = new LinkedHashSet<>();
    /** Whose endpoints may be others. */
    final Set<Name> services = new LinkedHashSet<>();

    final Set<RouteName> routesToTell = new LinkedHashSet<>();
    final Set<Name> policiesToTell = new LinkedHashSet<>();
}
