// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: the column of turns: painted by hand, laid out near the viewport only.
#pragma once

#include <QAbstractScrollArea>
#include <QHash>
#include <memory>
#include <vector>

#include "ui/chat/turn_layout.h"
#include "ui/chat/turn_widgets.h"

namespace vitrine::ui {

class ErrorBanner;
class MessageListModel;

/// Follows the newest text until the user scrolls up one notch; End or the pill follows again, and the end of an answer
/// never moves the view.  The selection is kept as turn, block and offset, so it survives streaming.  Thread: GUI.
class MessageView final : public QAbstractScrollArea {
    Q_OBJECT
public:
    MessageView(const Theme& theme, MessageListModel& model, QWidget* parent = nullptr);
    ~MessageView() override;

    [[nodiscard]] bool isFollowing() const { return m_isFollowing; }
    void jumpToLatest(); // and follow
    [[nodiscard]] QString selectedSource() const;
    void clearSelection();
    /// Selects the next hit after (or before) the selection; false if there is none.
    bool find(const QString& text, bool forward);
    void scrollToTurn(MessageId message);
    /// Left edge and width of the answer column in this widget, for the composer below.
    [[nodiscard]] QRect columnRect() const;
    [[nodiscard]] int numBuiltTurns() const; // for tests
    [[nodiscard]] const MessageListModel& model() const { return m_model; }
    [[nodiscard]] QRect turnRect(int row) const; // viewport coordinates

signals:
    void actionTriggered(vitrine::ui::TurnAction action, qint64 message);
    void copied(const QString& text);
    void linkActivated(const QString& link);
    void followingChanged(bool following);
    void columnChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool viewportEvent(QEvent* event) override;

private:
    struct TurnControls;
    struct Place { // of a character
        int row = -1;
        TurnPosition position;
        auto operator<=>(const Place&) const = default;
    };
    void rebuild();
    void insertTurns(int first, int last);
    void removeTurns(int first, int last);
    void updateTurns(int first, int last);
    void layoutAll(); // widths, tops, scroll range
    void settle(); // builds what is near the viewport, keeps the anchor, moves the controls
    void placeTops();
    void setFollowing(bool following);
    [[nodiscard]] int rowAt(int y) const; // nearest
    [[nodiscard]] Place placeAt(QPoint point) const;
    void updateControls();
    void makeControls(int row, TurnControls& controls);
    void placeControls(int row, TurnControls& controls);
    void showError(int row, TurnControls& controls);
    void setHoveredRow(int row);
    void select(Place anchor, Place cursor);
    [[nodiscard]] std::pair<Place, Place> orderedSelection() const;
    void copySelection();
    void autoScroll();

    const Theme& m_theme;
    MessageListModel& m_model;
    std::vector<std::unique_ptr<TurnLayout>> m_turns; // index == row
    std::vector<int> m_tops; // document coordinates; one more than turns: the end
    QHash<MessageId, std::shared_ptr<TurnControls>> m_controls; // of turns near the viewport
    QRect m_column;
    bool m_isFollowing = true;
    bool m_isSettling = false;
    int m_hoveredRow = -1;
    Place m_anchor;
    Place m_cursor;
    bool m_isSelecting = false;
    QPoint m_lastMouse;
    QTimer* m_autoScroll;
};

} // namespace vitrine::ui
