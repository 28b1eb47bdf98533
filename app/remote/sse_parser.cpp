// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/remote: server-sent events out of bytes.
#include "app/remote/sse_parser.h"

#include <utility>

namespace vitrine::app {

QList<ServerEvent> SseParser::feed(const QByteArray& bytes) {
    QList<ServerEvent> events;
    for (const char c : bytes) {
        const bool isSecondOfCrLf = m_afterCr && c == '\n';
        m_afterCr = c == '\r';
        if (isSecondOfCrLf)
            continue;
        if (c == '\r' || c == '\n') {
            takeLine(std::exchange(m_line, {}), events);
            continue;
        }
        if (m_line.size() + m_event.data.size() >= kMaxEventBytes)
            m_overflowed = true;
        if (m_overflowed)
            break;
        m_line.append(c);
    }
    return events;
}

QList<ServerEvent> SseParser::finish() {
    QList<ServerEvent> events;
    if (m_overflowed)
        return events;
    if (!m_line.isEmpty())
        takeLine(std::exchange(m_line, {}), events);
    takeLine({}, events);
    return events;
}

void SseParser::takeLine(QByteArray line, QList<ServerEvent>& events) {
    if (std::exchange(m_isFirstLine, false) && line.startsWith("\xEF\xBB\xBF"))
        line.remove(0, 3);
    if (line.isEmpty()) {
        if (m_hasData)
            events.append(m_event);
        m_event = {};
        m_hasData = false;
        return;
    }
    const qsizetype colon = line.indexOf(':');
    if (colon == 0)
        return; // a comment
    const QByteArray field = colon < 0 ? line : line.left(colon);
    QByteArray value = colon < 0 ? QByteArray() : line.mid(colon + 1);
    if (value.startsWith(' '))
        value.remove(0, 1);
    if (field == "data") {
        if (m_hasData)
            m_event.data.append('\n');
        m_event.data.append(value);
        m_hasData = true;
    } else if (field == "event") {
        m_event.type = value;
    } else if (field == "error") { // llama.cpp until 2024: its only word about a failure inside a stream
        m_event.type = field;
        m_event.data = value;
        m_hasData = true;
    } // id and retry: a completion is not resumed
}

} // namespace vitrine::app
