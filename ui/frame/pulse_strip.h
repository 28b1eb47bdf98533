// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/frame: the strip below every page: the engine's pulse in one line.
#pragma once

#include "ui/frame/pulse_state.h"
#include "ui/theme/theme.h"

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>

#include <deque>
#include <utility>

namespace vitrine::ui {

class SnapshotFeed;

/// Repaints only when what it says has changed, at most four times a second, and never while hidden.  Left and right
/// move over the segments, Enter follows one.
class PulseStrip final : public QWidget {
    Q_OBJECT
public:
    enum class Segment : std::uint8_t { model, openModel, cancelLoad, kv, requests, rate, prefix, accept, server };

    PulseStrip(const Theme& theme, EngineClient& client, SnapshotFeed& snapshots, EndpointControl& endpoint,
        SequenceIndex& sequences, QWidget* parent = nullptr);

    [[nodiscard]] const PulseState& state() const { return m_state; }
    [[nodiscard]] int paintCount() const { return m_paints; } // for tests
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QString textTwin() const;

signals:
    void segmentActivated(vitrine::ui::PulseStrip::Segment segment);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void showEvent(QShowEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Placed {
        Segment segment;
        QRect rect;
    };
    void refreshSoon();
    void refresh();
    void layoutSegments();
    [[nodiscard]] int modelWidth(int room) const; // pixels at 100 %
    [[nodiscard]] int noModelWidth() const; // the same, where none is loaded
    [[nodiscard]] QString modelDetail() const; // quantization and device

    static constexpr int kNoDevice = 1120; // narrower: the model's name only

    void paintSegment(QPainter& painter, const Placed& placed);
    void paintModel(QPainter& painter, QRect rect);
    void paintLoading(QPainter& painter, const QRect& rect);
    void paintKv(QPainter& painter, QRect rect);
    void paintRequests(QPainter& painter, QRect rect);
    void paintRate(QPainter& painter, QRect rect);
    void paintAccept(QPainter& painter, QRect rect);
    [[nodiscard]] std::pair<QString, QString> serverWords() const; // word, port
    [[nodiscard]] int serverAdvance() const; // pixels of dot and words
    [[nodiscard]] int serverWidth() const; // with the room around
    void paintServer(QPainter& painter, QRect rect);
    /// Draws and returns the rest of the rectangle.
    QRect paintWords(QPainter& painter, QRect rect, const QString& text, Color ink, TextRole role);
    [[nodiscard]] QString tooltip(Segment segment) const;
    [[nodiscard]] int hit(const QPoint& position) const; // -1: none
    [[nodiscard]] bool has(Segment segment) const;

    const Theme& m_theme;
    EngineClient& m_client;
    SnapshotFeed& m_snapshots;
    EndpointControl& m_endpoint;
    SequenceIndex& m_sequences;
    PulseState m_state;
    std::vector<Placed> m_placed;
    std::deque<double> m_rates; // one a refresh while busy
    QTimer m_timer;
    QElapsedTimer m_sinceRefresh;
    int m_hover = -1, m_focused = -1;
    int m_paints = 0;
};

} // namespace vitrine::ui
