package io.parley.proxy.health;

import io.netty.channel.EventLoop;
import io.parley.proxy.Surroundings;
import io.parley.proxy.pool.Dialling;
import io.parley.proxy.pool.Pools;

/** What it takes to ask an endpoint. */
public record Surgery(EventLoop loop, Surroundings surroundings, Dialling dialling, Pools pools) {}
