// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests: a raw socket that sends exact bytes, as a hostile or old client would.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <string>
#include <sys/socket.h>
#include <unistd.h>

namespace vitrine::app {

class RawClient {
public:
    explicit RawClient(int port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(static_cast<std::uint16_t>(port));
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        connected_ = ::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0;
    }
    ~RawClient() { close(); }
    RawClient(const RawClient&) = delete;
    RawClient& operator=(const RawClient&) = delete;

    void close() {
        if (socket_ >= 0)
            ::close(socket_);
        socket_ = -1;
    }
    [[nodiscard]] bool connected() const { return connected_; }
    void send(const std::string& bytes) const { (void)!::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL); }

    /// Reads until `end` has come, the peer closes, or nothing comes for `timeout_ms`.
    std::string read_until(const std::string& end, int timeout_ms = 5000) {
        std::string out;
        char buffer[4096];
        pollfd waiting{socket_, POLLIN, 0};
        while ((end.empty() || out.find(end) == std::string::npos) && ::poll(&waiting, 1, timeout_ms) > 0) {
            const ssize_t size = ::recv(socket_, buffer, sizeof(buffer), 0);
            if (size <= 0) {
                closed_ = true;
                break;
            }
            out.append(buffer, static_cast<std::size_t>(size));
        }
        return out;
    }
    /// One answer with a Content-Length.
    std::string read_answer() {
        std::string out = read_until("\r\n\r\n");
        const std::size_t head = out.find("\r\n\r\n");
        const std::size_t mark = out.find("Content-Length: ");
        if (head == std::string::npos || mark == std::string::npos)
            return out;
        const std::size_t length = std::stoul(out.substr(mark + 16));
        while (out.size() < head + 4 + length && !closed_) {
            const std::string more = read_some();
            if (more.empty())
                break;
            out += more;
        }
        return out;
    }
    [[nodiscard]] bool peer_closed() const { return closed_; }

private:
    std::string read_some() {
        char buffer[4096];
        pollfd waiting{socket_, POLLIN, 0};
        if (::poll(&waiting, 1, 5000) <= 0)
            return {};
        const ssize_t size = ::recv(socket_, buffer, sizeof(buffer), 0);
        closed_ = size <= 0;
        return size > 0 ? std::string(buffer, static_cast<std::size_t>(size)) : std::string{};
    }

    int socket_;
    bool connected_ = false;
    bool closed_ = false;
};

} // namespace vitrine::app
