// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/frame: the palette.
#include "ui/frame/command_palette.h"

#include "ui/widgets/labels.h"
#include "ui/widgets/table_delegate.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QKeySequence>
#include <QListWidget>
#include <QMouseEvent>
#include <QPainter>
#include <QStyle>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include <algorithm>

namespace vitrine::ui {
namespace {

constexpr int kWidth = 640, kTop = 88, kRow = 36, kMaxRows = 8;
constexpr int kDetailRole = Qt::UserRole + 1;

class EntryDelegate final : public QStyledItemDelegate {
public:
    EntryDelegate(const Theme& theme, QObject* parent) : QStyledItemDelegate(parent), m_theme(theme) {}
    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override { return {100, m_theme.px(kRow)}; }
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        if (option.state & (QStyle::State_Selected | QStyle::State_MouseOver)) {
            painter->setPen(Qt::NoPen);
            painter->setBrush(m_theme.color(option.state & QStyle::State_Selected ? Color::accentSoft : Color::hover));
            painter->drawRoundedRect(option.rect, Measure::kRadiusInner, Measure::kRadiusInner);
        }
        const int icon = m_theme.px(Measure::kIconButton);
        const auto mirrored = [&option](const QRect& place) {
            return QStyle::visualRect(option.direction, option.rect, place);
        };
        QRect rest = option.rect.adjusted(10, 0, -10, 0);
        painter->drawPixmap(mirrored({rest.left(), rest.center().y() - icon / 2 + 1, icon, icon}).topLeft(),
            m_theme.pixmap(
                index.data(kIconRole).toString(), icon, Color::text2, painter->device()->devicePixelRatioF()));
        rest.setLeft(rest.left() + icon + 10);
        const QString name = index.data().toString();
        painter->setFont(m_theme.font(TextRole::base));
        painter->setPen(m_theme.color(Color::text1));
        painter->drawText(mirrored(rest), Qt::AlignVCenter | Qt::TextSingleLine, name);
        rest.setLeft(rest.left() + QFontMetrics(painter->font()).horizontalAdvance(name) + 10);
        painter->setPen(m_theme.color(Color::text3));
        painter->drawText(mirrored(rest), Qt::AlignVCenter | Qt::TextSingleLine,
            QFontMetrics(painter->font())
                .elidedText(index.data(kDetailRole).toString(), Qt::ElideMiddle, rest.width()));
        painter->restore();
    }

private:
    const Theme& m_theme;
};

/// All letters in order; a match at word starts counts more.  -1: no match.
int score(const QString& name, const QString& wanted) {
    if (wanted.isEmpty())
        return 0;
    if (const qsizetype at = name.indexOf(wanted, 0, Qt::CaseInsensitive); at >= 0)
        return 1000 - static_cast<int>(at) + (at == 0 || name[at - 1].isSpace() ? 500 : 0);
    qsizetype position = 0;
    for (const QChar letter : wanted) {
        position = name.indexOf(letter, position, Qt::CaseInsensitive);
        if (position < 0)
            return -1;
        ++position;
    }
    return 100 - static_cast<int>(position);
}

} // namespace

CommandPalette::CommandPalette(const Theme& theme, QWidget* window, Source source)
    : QWidget(window), m_theme(theme), m_source(std::move(source)), m_box(new QWidget(this)), m_edit(new QLineEdit),
      m_count(makeLabel({}, "small")), m_list(new QListWidget) {
    auto* column = new QVBoxLayout(m_box);
    column->setContentsMargins(8, 8, 8, 8);
    column->setSpacing(6);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(8, 4, 8, 4);
    m_edit->setPlaceholderText(tr("Type an action, a model or a page"));
    m_edit->setAccessibleName(tr("Command"));
    m_edit->setProperty("focusRing", "none");
    m_edit->setProperty("plain", true);
    head->addWidget(m_edit, 1);
    head->addWidget(m_count);
    column->addLayout(head);
    column->addWidget(new Hairline(theme));
    m_list->setItemDelegate(new EntryDelegate(theme, m_list));
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setMouseTracking(true);
    m_list->setAccessibleName(tr("Results"));
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    column->addWidget(m_list);
    m_nothing = makeLabel({}, "hint");
    m_nothing->setContentsMargins(10, 8, 10, 8);
    m_nothing->setWordWrap(true);
    m_nothing->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_nothing->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Expanding);
    m_nothing->hide();
    column->addWidget(m_nothing);
    auto* keys = makeLabel(tr("↑ ↓ choose   ·   Enter run   ·   Esc close"), "small");
    keys->setContentsMargins(10, 2, 0, 2);
    column->addWidget(keys);
    connect(m_edit, &QLineEdit::textChanged, this, &CommandPalette::filter);
    connect(m_list, &QListWidget::itemClicked, this, [this] { runCurrent(); });
    m_edit->installEventFilter(this);
    hide();
}

void CommandPalette::openOver(const QRect& area) {
    setGeometry(area);
    const int boxWidth = std::min(m_theme.px(kWidth), area.width() - 32);
    m_entries = m_source();
    m_edit->clear();
    filter({});
    m_list->setFixedHeight(m_theme.px(kRow) * kMaxRows);
    m_list->show(); // the box has one height, whatever is found
    const int around = m_box->sizeHint().height() - m_list->height(), top = std::min(kTop, area.height() / 8);
    const int rows = std::clamp((area.height() - top - around) / m_theme.px(kRow), 1, kMaxRows); // large text: fewer
    m_list->setFixedHeight(m_theme.px(kRow) * rows);
    m_box->setGeometry((area.width() - boxWidth) / 2, top, boxWidth, around + m_list->height());
    m_before = window()->focusWidget();
    raise();
    show();
    m_edit->setFocus(Qt::ShortcutFocusReason);
}

void CommandPalette::refresh() {
    if (!isVisible())
        return;
    const QListWidgetItem* current = m_list->currentItem();
    const QString name = current != nullptr ? current->text() : QString();
    m_entries = m_source();
    filter(m_edit->text());
    for (int row = 0; row < m_list->count(); ++row)
        if (m_list->item(row)->text() == name)
            return m_list->setCurrentRow(row);
}

int CommandPalette::shownCount() const {
    return m_list->count();
}

void CommandPalette::filter(const QString& text) {
    std::vector<std::pair<int, std::size_t>> hits;
    for (std::size_t i = 0; i < m_entries.size(); ++i)
        if (const int points = score(m_entries[i].name, text.trimmed()); points >= 0)
            hits.emplace_back(points, i);
    std::stable_sort(hits.begin(), hits.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    m_shown.clear();
    m_list->clear();
    for (const auto& [points, i] : hits) {
        auto* item = new QListWidgetItem(m_entries[i].name, m_list);
        item->setData(kDetailRole, m_entries[i].detail);
        item->setData(kIconRole, m_entries[i].icon);
        m_shown.push_back(i);
    }
    m_list->setCurrentRow(0);
    m_nothing->setVisible(hits.empty());
    m_nothing->setText(
        tr("Nothing is called “%1”. Chats are searched with %2.")
            .arg(text.trimmed(), QKeySequence(QStringLiteral("Ctrl+Shift+F")).toString(QKeySequence::NativeText)));
    m_list->setVisible(!hits.empty());
    m_count->setText(m_list->count() == 1 ? tr("1 result") : tr("%1 results").arg(m_list->count()));
}

void CommandPalette::runCurrent() {
    const int row = m_list->currentRow();
    hide();
    if (m_before != nullptr)
        m_before->setFocus();
    if (row >= 0)
        m_entries[m_shown[static_cast<std::size_t>(row)]].run();
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::FocusOut && isVisible() && !m_box->isAncestorOf(window()->focusWidget())) {
        hide();
        return false;
    }
    if (event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    const int rows = m_list->count();
    switch (static_cast<QKeyEvent*>(event)->key()) {
    case Qt::Key_Down:
        m_list->setCurrentRow(std::min(rows - 1, m_list->currentRow() + 1));
        return true;
    case Qt::Key_Up:
        m_list->setCurrentRow(std::max(0, m_list->currentRow() - 1));
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        runCurrent();
        return true;
    case Qt::Key_Escape:
        hide();
        if (m_before != nullptr)
            m_before->setFocus();
        return true;
    default:
        return false;
    }
}

void CommandPalette::mousePressEvent(QMouseEvent* event) {
    if (!m_box->geometry().contains(event->pos()))
        hide();
}

void CommandPalette::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.color(Color::scrim));
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF box = m_box->geometry();
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_theme.color(Color::shadow));
    for (const auto& [grow, down] : {std::pair(2, 1), std::pair(3, 3), std::pair(4, 5)})
        painter.drawRoundedRect(box.adjusted(-grow, -grow + down, grow, grow + down), 10, 10);
    painter.setPen(QPen(m_theme.color(Color::outline), 1));
    painter.setBrush(m_theme.color(Color::popup));
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), Measure::kRadiusCard, Measure::kRadiusCard);
}

} // namespace vitrine::ui
