// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/remote: server-sent events out of bytes as they arrive (WHATWG HTML, "Interpreting an event stream").
#pragma once

#include <QByteArray>
#include <QList>

namespace vitrine::app {

struct ServerEvent {
    QByteArray type; // of an "event:" line; empty: message
    QByteArray data; // lines joined by '\n'
};

/// Bytes in any pieces: lines may end in LF, CR or CRLF, a piece may end between CR and LF or inside a character.
/// Comments (keep-alives) are dropped.  Invariant: what is kept is one unfinished event, at most kMaxEventBytes.
class SseParser {
public:
    /// Events that `bytes` complete, in order.
    [[nodiscard]] QList<ServerEvent> feed(const QByteArray& bytes);
    /// At the end of the stream: an event that no empty line ended.  The standard drops it; servers forget the line.
    [[nodiscard]] QList<ServerEvent> finish();
    /// An event grew over the limit; nothing more is read.
    [[nodiscard]] bool overflowed() const noexcept { return m_overflowed; }

    static constexpr qsizetype kMaxEventBytes = 16 << 20;

private:
    void takeLine(QByteArray line, QList<ServerEvent>& events);

    QByteArray m_line;
    ServerEvent m_event;
    bool m_hasData = false;
    bool m_afterCr = false;
    bool m_isFirstLine = true;
    bool m_overflowed = false;
};

} // namespace vitrine::app
