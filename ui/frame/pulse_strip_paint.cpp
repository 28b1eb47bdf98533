// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/frame: how the strip looks.
#include "ui/frame/pulse_strip.h"

#include "ui/theme/sequence_brush.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/sparkline.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>

namespace vitrine::ui {
namespace {

constexpr int kPad = 12, kGap = 7, kSeparator = 13;
constexpr int kDotRoom = 15; // of the dot before the word "server"
constexpr int kShortBlocks = 100'000;
constexpr int kKvBarWidth = 72, kKvBarHeight = 8, kSquare = 7, kGraphWidth = 62, kDraftBar = 4;

} // namespace

QRect PulseStrip::paintWords(QPainter& painter, QRect rect, const QString& text, Color ink, TextRole role) {
    QFont font = m_theme.font(TextRole::small);
    font.setWeight(role == TextRole::strong ? QFont::DemiBold : QFont::Normal);
    painter.setFont(font);
    painter.setPen(m_theme.color(ink));
    const QFontMetrics metrics(font);
    painter.drawText(
        rect, Qt::AlignVCenter | Qt::TextSingleLine, metrics.elidedText(text, Qt::ElideRight, rect.width()));
    rect.setLeft(rect.left() + std::min(rect.width(), metrics.horizontalAdvance(text)));
    return rect;
}

void PulseStrip::paintModel(QPainter& painter, QRect rect) {
    const int icon = m_theme.px(Measure::kIconRow);
    const bool none = m_state.mode == PulseState::Mode::empty;
    const QString name = none ? QStringLiteral("models")
        : m_state.onGpu       ? QStringLiteral("gpu")
                              : QStringLiteral("cpu");
    painter.drawPixmap(
        rect.left(), (height() - icon) / 2 + 1, m_theme.pixmap(name, icon, Color::text2, devicePixelRatioF()));
    rect.setLeft(rect.left() + icon + kGap);
    if (none) {
        paintWords(painter, rect, tr("No model loaded"), Color::text3, TextRole::small);
        return;
    }
    const bool loading = m_state.mode == PulseState::Mode::loading;
    const Color strong = m_state.idle && !loading ? Color::text2 : Color::text1;
    rect =
        paintWords(painter, rect, m_state.model, strong, m_state.idle && !loading ? TextRole::small : TextRole::strong);
    if (!loading && width() * 100 / m_theme.textPercent() >= kNoDevice)
        paintWords(painter, rect, modelDetail(), m_state.idle ? Color::text3 : Color::text2, TextRole::small);
}

void PulseStrip::paintLoading(QPainter& painter, const QRect& rect) {
    QString text = tr("reading the file");
    if (m_state.bytesTotal > 0)
        text = tr("%1 of %2")
                   .arg(bytesText(static_cast<double>(m_state.bytesDone)),
                       bytesText(static_cast<double>(m_state.bytesTotal)));
    const double share =
        m_state.bytesTotal > 0 ? static_cast<double>(m_state.bytesDone) / static_cast<double>(m_state.bytesTotal) : 0;
    const QRectF track(rect.left(), height() / 2.0 - 3, m_theme.px(160), 6);
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_theme.color(Color::press));
    painter.drawRoundedRect(track, 3, 3);
    painter.setBrush(m_theme.color(Color::accent));
    painter.drawRoundedRect(QRectF(track.left(), track.top(), std::max(6.0, track.width() * share), 6), 3, 3);
    paintWords(painter, rect.adjusted(m_theme.px(160) + 10, 0, 0, 0), text, Color::text2, TextRole::small);
}

void PulseStrip::paintKv(QPainter& painter, QRect rect) {
    const bool hot = m_state.pressure();
    rect = paintWords(painter, rect, QStringLiteral("KV"), m_state.idle ? Color::text3 : Color::text2, TextRole::small);
    rect.setLeft(rect.left() + kGap);
    if (m_state.totalBlocks == 0) { // a server elsewhere that does not tell
        paintWords(painter, rect, kNone, Color::text3, TextRole::small);
        return;
    }
    const QRectF bar(
        rect.left() + 0.5, (height() - kKvBarHeight) / 2 + 0.5, m_theme.px(kKvBarWidth) - 1, kKvBarHeight - 1);
    const double total = std::max(1, m_state.totalBlocks);
    const double active = m_state.activeBlocks / total * bar.width(),
                 cached = m_state.cachedBlocks / total * bar.width();
    QPainterPath shape;
    shape.addRoundedRect(bar, 3, 3);
    painter.save();
    painter.setClipPath(shape);
    const Color fill = hot ? Color::warn : m_state.idle ? Color::queued : Color::accent;
    painter.fillRect(QRectF(bar.left(), bar.top(), active, bar.height()), m_theme.color(fill));
    painter.fillRect(QRectF(bar.left() + active, bar.top(), cached, bar.height()), m_theme.color(Color::cached));
    painter.restore();
    painter.setPen(QPen(m_theme.color(hot ? Color::warn : Color::control), 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(shape);
    rect.setLeft(static_cast<int>(bar.right()) + 2 + kGap);
    rect = paintWords(painter, rect, plainText(m_state.activeBlocks),
        hot                ? Color::warn
            : m_state.idle ? Color::text3
                           : Color::text1,
        m_state.idle ? TextRole::small : TextRole::strong);
    // A pool of a large GPU: the exact number stands on the Engine page.
    const QString pool =
        m_state.totalBlocks < kShortBlocks ? plainText(m_state.totalBlocks) : rateText(m_state.totalBlocks);
    paintWords(painter, rect, u'/' + pool, Color::text3, TextRole::small);
}

void PulseStrip::paintRequests(QPainter& painter, QRect rect) {
    const int square = m_theme.px(kSquare), top = (height() - square) / 2;
    const bool squares = rect.width() > m_theme.px(120);
    int count = 0;
    for (const int index : m_state.squares) {
        if (!squares)
            break;
        painter.setPen(Qt::NoPen);
        painter.setBrush(m_theme.color(sequenceColor(index)));
        painter.drawRoundedRect(QRectF(rect.left() + count * (square + 2), top, square, square), 1.5, 1.5);
        ++count;
    }
    for (int i = 0; squares && i < m_state.waiting && count < 5; ++i, ++count) {
        painter.setPen(QPen(m_theme.color(Color::control), 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(
            QRectF(rect.left() + count * (square + 2) + 0.5, top + 0.5, square - 1, square - 1), 1.5, 1.5);
    }
    if (count > 0)
        rect.setLeft(rect.left() + count * (square + 2) + 5);
    const TextRole role = m_state.idle ? TextRole::small : TextRole::strong;
    const Color ink = m_state.idle ? Color::text3 : Color::text1, soft = m_state.idle ? Color::text3 : Color::text2;
    rect = paintWords(painter, rect, plainText(m_state.running), ink, role);
    rect = paintWords(painter, rect, tr(" run · "), soft, TextRole::small);
    rect = paintWords(painter, rect, plainText(m_state.waiting), ink, role);
    paintWords(painter, rect, tr(" wait"), soft, TextRole::small);
}

void PulseStrip::paintRate(QPainter& painter, QRect rect) {
    const Color ink = m_state.idle ? Color::text3 : Color::text1, soft = m_state.idle ? Color::text3 : Color::text2;
    const QRect words = paintWords(painter, rect, m_state.rate, ink, m_state.idle ? TextRole::small : TextRole::strong);
    paintWords(painter, words, tr(" tok/s"), soft, TextRole::small);
    const int graph = m_theme.px(kGraphWidth);
    if (rect.width() < m_theme.px(130) || m_state.rates.size() < 2)
        return;
    const QRectF area(rect.right() - graph, 6, graph, height() - 12);
    paintSparkline(painter, area, m_state.rates, m_theme.color(m_state.idle ? Color::text3 : Color::decode));
}

void PulseStrip::paintAccept(QPainter& painter, QRect rect) {
    const Color ink = m_state.idle ? Color::text3 : Color::text1, soft = m_state.idle ? Color::text3 : Color::text2;
    QRect rest = paintWords(painter, rect, tr("accept "), soft, TextRole::small);
    rest = paintWords(painter, rest, m_state.accepted, ink, m_state.idle ? TextRole::small : TextRole::strong);
    rest = paintWords(painter, rest, u'/' + m_state.drafted, Color::text3, TextRole::small);
    const int bars = static_cast<int>(m_state.acceptedBars.size());
    const int room = rest.width() - kGap;
    if (room < bars * (kDraftBar + 1))
        return;
    const int high = 11, top = (height() - high) / 2;
    for (int i = 0; i < bars; ++i) {
        const QRect box(rest.left() + kGap + i * (kDraftBar + 1), top, kDraftBar, high);
        painter.fillRect(box, m_theme.color(Color::cached));
        const int level = std::max(1, high * m_state.acceptedBars[static_cast<std::size_t>(i)] / 100);
        painter.fillRect(
            box.adjusted(0, high - level, 0, 0), m_theme.color(m_state.idle ? Color::text3 : Color::accent));
    }
}

std::pair<QString, QString> PulseStrip::serverWords() const {
    if (!m_state.serverOn)
        return {tr("server off"), {}};
    return {tr("server "), QStringLiteral(":%1").arg(m_state.serverPort)};
}

int PulseStrip::serverAdvance() const {
    const auto& [word, port] = serverWords();
    QFont strong = m_theme.font(TextRole::small);
    strong.setWeight(QFont::DemiBold);
    return kDotRoom + QFontMetrics(m_theme.font(TextRole::small)).horizontalAdvance(word) +
        QFontMetrics(strong).horizontalAdvance(port);
}

/// A port has up to five digits, and all of them count.
int PulseStrip::serverWidth() const {
    return serverAdvance() + 2 * kPad + 4;
}

void PulseStrip::paintServer(QPainter& painter, QRect rect) {
    const auto& [word, port] = serverWords();
    if (!isRightToLeft()) // at the end of the strip
        rect.setLeft(std::max(rect.left(), rect.right() - serverAdvance() - 2));
    const QPointF dot(rect.left() + 4, height() / 2.0 + 0.5);
    painter.setPen(m_state.serverOn ? QPen(Qt::NoPen) : QPen(m_theme.color(Color::control), 1.2));
    painter.setBrush(m_state.serverOn ? QBrush(m_theme.color(Color::ok)) : QBrush(Qt::NoBrush));
    painter.drawEllipse(dot, m_state.serverOn ? 3.5 : 3.0, m_state.serverOn ? 3.5 : 3.0);
    rect.setLeft(rect.left() + kDotRoom);
    rect = paintWords(painter, rect, word, m_state.serverOn ? Color::text2 : Color::text3, TextRole::small);
    paintWords(painter, rect, port, Color::text1, TextRole::strong);
}

void PulseStrip::paintSegment(QPainter& painter, const Placed& placed) {
    const bool first = placed.segment == Segment::model;
    const QRect inner = placed.rect.adjusted(kPad, 0,
        placed.segment == Segment::server       ? -kPad
            : placed.segment == Segment::accept ? 0
                                                : -kPad / 2,
        0);
    const int line = m_theme.px(kSeparator);
    const bool separated = !first && placed.segment != Segment::openModel && placed.segment != Segment::cancelLoad &&
        placed.segment != Segment::server;
    if (separated)
        paintHairline(painter,
            QRect(isRightToLeft() ? placed.rect.right() : placed.rect.left(), (height() - line) / 2, 1, line),
            Qt::LeftEdge, m_theme.color(Color::outline));
    switch (placed.segment) {
    case Segment::model:
        return paintModel(painter, inner);
    case Segment::openModel:
        paintWords(painter, inner.adjusted(-kPad / 2, 0, 0, 0), tr("Open a model"), Color::accent, TextRole::small);
        return;
    case Segment::cancelLoad:
        paintWords(painter, inner.adjusted(-kPad / 2, 0, 0, 0), tr("Cancel"), Color::accent, TextRole::small);
        return;
    case Segment::kv:
        return paintKv(painter, inner);
    case Segment::requests:
        return paintRequests(painter, inner);
    case Segment::rate:
        return m_state.mode == PulseState::Mode::loading ? paintLoading(painter, inner) : paintRate(painter, inner);
    case Segment::prefix: {
        const Color ink = m_state.idle ? Color::text3 : Color::text1;
        const QRect rest =
            paintWords(painter, inner, tr("prefix "), m_state.idle ? Color::text3 : Color::text2, TextRole::small);
        paintWords(painter, rest, m_state.prefix, ink, m_state.idle ? TextRole::small : TextRole::strong);
        return;
    }
    case Segment::accept:
        return paintAccept(painter, inner);
    case Segment::server:
        return paintServer(painter, inner);
    }
}

void PulseStrip::paintEvent(QPaintEvent*) {
    ++m_paints;
    layoutSegments();
    QPainter painter(this);
    painter.setLayoutDirection(Qt::LeftToRight); // segments are mirrored, each runs as its numbers do
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), m_theme.color(Color::side));
    if (m_hover >= 0 && m_hover < static_cast<int>(m_placed.size()))
        painter.fillRect(m_placed[static_cast<std::size_t>(m_hover)].rect, m_theme.color(Color::hover));
    paintHairline(painter, rect(), Qt::TopEdge, m_theme.color(Color::hairline));
    for (const Placed& placed : m_placed)
        paintSegment(painter, placed);
    if (m_focused >= 0 && m_focused < static_cast<int>(m_placed.size())) {
        painter.setPen(QPen(m_theme.color(Color::accent), 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(
            QRectF(m_placed[static_cast<std::size_t>(m_focused)].rect).adjusted(2, 2, -2, -2), 5, 5);
    }
}

} // namespace vitrine::ui
