/* forwarder PORT ORIGIN: passes bytes between PORT and ORIGIN on the loopback, and does nothing else that a proxy does: no limits, no half-closed
 * connections, no back-pressure, no counting. With edge-triggered epoll and one receive and one send for each message it is what system calls cost. Like
 * every proxy that has an administration port it has a second thread, which makes each of them dearer. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#define MOST_SOCKETS 65536
#define MOST_EVENTS 512

static int peers[MOST_SOCKETS];
static char buffer[64 << 10];

static void *sleeper(void *nothing) {
    for (;;) pause();
    return nothing;
}

static struct sockaddr_in loopback(const char *port) {
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(atoi(port)), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    return address;
}

static void watch(int epoll, int socket, unsigned what) {
    struct epoll_event event = {.events = what, .data.fd = socket};
    epoll_ctl(epoll, EPOLL_CTL_ADD, socket, &event);
}

static void introduce(int epoll, int one, int other) {
    int on = 1;
    setsockopt(one, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    peers[one] = other;
    watch(epoll, one, EPOLLIN | EPOLLRDHUP | EPOLLET);
}

static void pass(int from) {
    int to = peers[from];
    if (to < 0) return;
    ssize_t bytes = recv(from, buffer, sizeof buffer, MSG_DONTWAIT);
    if (bytes > 0) {
        send(to, buffer, bytes, MSG_NOSIGNAL);
    } else if (bytes == 0 || errno != EAGAIN) {
        peers[from] = peers[to] = -1;
        close(from);
        close(to);
    }
}

int main(int count, char **arguments) {
    if (count != 3) return 64;
    struct sockaddr_in own = loopback(arguments[1]), origin = loopback(arguments[2]);
    int on = 1, listener = socket(AF_INET, SOCK_STREAM, 0), epoll = epoll_create1(0);
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(listener, (void *)&own, sizeof own) || listen(listener, MOST_EVENTS)) return 69;
    watch(epoll, listener, EPOLLIN);
    pthread_t thread;
    pthread_create(&thread, NULL, sleeper, NULL);
    for (struct epoll_event events[MOST_EVENTS];;) {
        int ready = epoll_wait(epoll, events, MOST_EVENTS, -1);
        for (int i = 0; i < ready; i++) {
            if (events[i].data.fd != listener) {
                pass(events[i].data.fd);
                continue;
            }
            int client = accept(listener, NULL, NULL), server = socket(AF_INET, SOCK_STREAM, 0);
            if (client < 0 || server < 0) return 71;
            connect(server, (void *)&origin, sizeof origin);
            introduce(epoll, client, server);
            introduce(epoll, server, client);
        }
    }
}
