package io.parley.control.snapshot;

import io.parley.control.feed.ModelFeed;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.parley.control.draft.EnvoyJson;
import io.parley.control.draft.Flavor;
import io.parley.control.model.Dataplane;
import io.parley.control.model.MeshModel;
import io.parley.control.model.Model;
import io.parley.resource.Document;
import io.parley.sync.admin.Answer;
import io.parley.sync.admin.Question;
import java.util.Collection;
import java.util.List;

/** What a proxy of this zone is to have, for people: made from the model, so nobody need be connected. Names secrets and shows none. */
public final class ConfigDump implements Answer.Source {
    private static final String DATAPLANE = "Dataplane";

    private final ModelFeed feed;

    public ConfigDump(ModelFeed feed) {
        this.feed = feed;
    }

    @Override
    public Answer answer(Question question) {
        if (!question.kind().equals(DATAPLANE)) {
            return new Answer.Failed("kind: " + question.kind() + " (expected: " + DATAPLANE + ")");
        }
        Model model = feed.current();
        MeshModel mesh = model.mesh(question.mesh()).orElse(null);
        Dataplane dataplane = mesh == null ? null : mesh.dataplanes().get(question.name());
        if (mesh == null || dataplane == null) {
            return new Answer.Failed(
                    "there is no Dataplane " + question.name() + " of mesh " + question.mesh() + " here");
        }
        return switch (question.topic()) {
            case CONFIG -> new Answer.Found(show(model, mesh, dataplane, true));
            case CLUSTERS -> new Answer.Found(show(model, mesh, dataplane, false));
            case STATS ->
                new Answer.Failed("counts are on the proxy's own admin page, /metrics; they are not sent here");
        };
    }

    private static String show(Model model, MeshModel mesh, Dataplane dataplane, boolean whole) {
        Built built = new ProxyFactory().build(model, mesh, dataplane, Flavor.PARLEY);
        ObjectNode dump = JsonNodeFactory.instance.objectNode();
        if (whole) {
            add(dump.putArray("listeners"), built.assembled().listeners().values());
            add(dump.putArray("routes"), built.assembled().routes().values());
        }
        add(dump.putArray("clusters"), built.assembled().clusters().values());
        ArrayNode endpoints = dump.putArray("endpoints");
        for (Built.Assigned assigned : built.destinations()) {
            add(endpoints, List.of(EndpointFactory.of(model, mesh, assigned, dataplane.zone())));
        }
        return dump.toString();
    }

    private static void add(ArrayNode to, Collection<? extends Message> messages) {
        for (Message message : messages) {
            try {
                to.add(new Document(EnvoyJson.print(message)).tree());
            } catch (InvalidProtocolBufferException e) {
                throw new IllegalStateException(
                        "cannot be shown: " + message.getDescriptorForType().getName(), e);
            }
        }
    }
}
