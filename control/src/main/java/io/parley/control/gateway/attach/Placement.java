package io.parley.control.gateway.attach;

import io.parley.control.gateway.model.Texts;

/**
 * Where a Gateway listens that does not say so itself: as the ConfigMap says that it or its class refers to, else as the control
 * plane was told.
 *
 * @param address to listen on
 * @param shown what its status says; a name where the address is all of a machine's
 * @param portOffset what is added to the ports of listeners, where low ports are taken or not allowed
 */
public record Placement(String address, String shown, int portOffset) {
    private static final String ADDRESS = "address";
    private static final String PORT_OFFSET = "portOffset";
    private static final int MOST = 65_535;

    /** Every address of the machine, which goes by this name. */
    public static Placement wholeMachine(String name) {
        return new Placement("0.0.0.0", name, 0);
    }

    Placement with(Texts parameters) {
        String given = parameters.text(ADDRESS);
        String offset = parameters.text(PORT_OFFSET);
        return new Placement(
                given.isEmpty() ? address : given,
                given.isEmpty() ? shown : given,
                offset.isEmpty() ? portOffset : Integer.parseInt(offset));
    }

    /** Whether a ConfigMap says what can be understood. */
    static boolean isReadable(Texts parameters) {
        String address = parameters.text(ADDRESS);
        String offset = parameters.text(PORT_OFFSET);
        return (address.isEmpty() || Addresses.isIp(address))
                && (offset.isEmpty() || (offset.matches("[0-9]{1,5}") && Integer.parseInt(offset) <= MOST));
    }
}
