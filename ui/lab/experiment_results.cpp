// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/lab: guesses beside measures, charts and tables.
#include "ui/lab/experiment_view.h"
#include "ui/lab/lab_chart.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/selectable_text.h"
#include "ui/widgets/table_delegate.h"

#include <QCoreApplication>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLocale>
#include <QScrollArea>
#include <QScrollBar>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace vitrine::ui {
namespace {

constexpr int kLongDetail = 40; // characters: such ones stand below their names and wrap
constexpr int kOutcome = 110;
constexpr int kMaxTableRows = 12; // shown at once; more scroll
constexpr int kLayoutRounds = 4;

void clear(QLayout* layout) {
    while (QLayoutItem* item = layout->takeAt(0)) {
        if (item->layout() != nullptr)
            clear(item->layout());
        delete item->widget();
        delete item;
    }
}

/// Columns share the width; where a head or a short text would be cut, they take what they need and the table scrolls.
/// With long texts it is as high as they need when wrapped: the layout asks, nothing is resized while it places.
class ResultTable final : public QTableWidget {
public:
    using QTableWidget::QTableWidget;
    void wrapTexts() {
        m_wraps = true;
        QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        policy.setHeightForWidth(true);
        setSizePolicy(policy);
        setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    }
    [[nodiscard]] QSize sizeHint() const override { return {640, m_wraps ? heightForWidth(640) : height()}; }
    [[nodiscard]] int heightForWidth(int width) const override {
        const std::vector<int> widths = columnWidths(width);
        int height = horizontalHeader()->sizeHint().height() + horizontalScrollBar()->sizeHint().height() + 4;
        for (int row = 0; row < rowCount(); ++row)
            height += wrappedHeight(row, widths);
        return height;
    }

protected:
    void resizeEvent(QResizeEvent* event) override {
        QTableWidget::resizeEvent(event);
        const std::vector<int> widths = columnWidths(viewport()->width());
        for (int column = 0; column < columnCount(); ++column)
            setColumnWidth(column, widths[static_cast<std::size_t>(column)]);
        for (int row = 0; m_wraps && row < rowCount(); ++row)
            setRowHeight(row, wrappedHeight(row, widths));
    }

private:
    [[nodiscard]] std::vector<int> columnWidths(int width) const {
        constexpr int kPad = 28, kShortest = 60;
        const QFontMetrics heads(horizontalHeader()->font()), texts(font());
        std::vector<int> widths;
        int sum = 0;
        for (int column = 0; column < columnCount(); ++column) {
            int needed = std::max(kShortest, heads.horizontalAdvance(horizontalHeaderItem(column)->text()) + kPad);
            for (int row = 0; (!m_wraps || column == 0) && row < rowCount(); ++row)
                if (const QTableWidgetItem* one = item(row, column); one != nullptr)
                    needed = std::max(needed, texts.horizontalAdvance(one->text()) + kPad);
            widths.push_back(needed);
            sum += needed;
        }
        const int first = m_wraps ? 1 : 0; // long texts share what the first column leaves
        const int room = std::max(0, width - sum) / std::max(1, columnCount() - first);
        for (int column = first; column < columnCount(); ++column)
            widths[static_cast<std::size_t>(column)] += room;
        return widths;
    }
    [[nodiscard]] int wrappedHeight(int row, const std::vector<int>& widths) const {
        constexpr int kMargins = 12, kGap = 12; // texts of two rows do not touch
        const QFontMetrics metrics(font());
        int height = metrics.height();
        for (int column = 0; column < columnCount(); ++column)
            if (const QTableWidgetItem* one = item(row, column); one != nullptr)
                height = std::max(height,
                    metrics
                        .boundingRect(QRect(0, 0, widths[static_cast<std::size_t>(column)] - kMargins, 100'000),
                            Qt::TextWordWrap, one->text())
                        .height());
        return height + kGap;
    }

    bool m_wraps = false;
};

/// What is wider than the page scrolls by itself: the form above it keeps the width of the page.
class WideArea final : public QScrollArea {
public:
    explicit WideArea(QWidget* inner) {
        setWidgetResizable(true);
        setFrameShape(QFrame::NoFrame);
        setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        setFocusPolicy(Qt::NoFocus); // its texts are reached by Tab, and come into sight then
        QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        policy.setHeightForWidth(true);
        setSizePolicy(policy);
        inner->setAttribute(Qt::WA_StyledBackground);
        inner->setProperty("surface", "page");
        setWidget(inner);
    }
    [[nodiscard]] QSize minimumSizeHint() const override { return {100, heightForWidth(100)}; }
    [[nodiscard]] QSize sizeHint() const override {
        const int width = widget()->minimumSizeHint().width();
        return {width, heightForWidth(width)};
    }
    [[nodiscard]] int heightForWidth(int width) const override {
        const int needed = widget()->minimumSizeHint().width();
        return widget()->layout()->totalHeightForWidth(std::max(width, needed)) +
            (needed > width ? horizontalScrollBar()->sizeHint().height() : 0);
    }
};

QLabel* cell(const QString& text, const char* role, Qt::Alignment alignment = Qt::AlignLeft | Qt::AlignVCenter) {
    QLabel* label = makeLabel(text, role);
    label->setAlignment(alignment);
    makeSelectable(*label);
    return label;
}

} // namespace

void ExperimentView::setResult(std::shared_ptr<const LabResult> result) {
    m_result = std::move(result);
    auto* column = static_cast<QVBoxLayout*>(m_results->layout());
    m_results->hide(); // what is put into a widget that shows itself is shown a turn of the event loop later
    clear(column);
    if (m_result) {
        fillResults(column);
        m_results->show();
    }
    settleLayouts();
}

/// At once as high as it needs.  Left to the event loop, layouts settle from the inside out in several turns, and what is
/// painted in between is squeezed into the height of before.
void ExperimentView::settleLayouts() {
    for (int round = 0; round < kLayoutRounds && height() < layout()->totalHeightForWidth(width()); ++round) {
        for (QWidget* at = m_results; at != nullptr && at->layout() != nullptr;
             at = at == this ? nullptr : at->parentWidget())
            at->layout()->activate();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest); // the scroll area around takes the new size
    }
}

QPixmap ExperimentView::resultPicture() const {
    constexpr int kLeast = 640;
    const QSize before = m_results->size();
    const int wide = std::max({kLeast, before.width(), m_results->sizeHint().width()});
    m_results->resize(wide, m_results->layout()->totalHeightForWidth(wide));
    QPixmap picture = m_results->grab();
    m_results->resize(before);
    return picture;
}

void ExperimentView::fillResults(QVBoxLayout* column) {
    column->setSpacing(Measure::kSpace3);
    column->addWidget(new Hairline(m_theme));
    fillMeasures(column);
    QString line = m_result->conclusion;
    if (m_result->numGuesses() > 0)
        line +=
            QStringLiteral("  ") + tr("%1 of %2 guesses right.").arg(m_result->numRight()).arg(m_result->numGuesses());
    QLabel* conclusion = cell(line, "strong");
    conclusion->setWordWrap(true);
    conclusion->setObjectName(QStringLiteral("conclusion"));
    column->addWidget(conclusion);
    for (const LabChart& chart : m_result->charts)
        column->addWidget(new LabChartView(m_theme, chart));
    for (const LabTable& table : m_result->tables)
        fillTable(column, table);
    LabTexts notes = m_result->notes;
    notes += m_result->model.isEmpty()
        ? tr("%1, without a model.").arg(QLocale().toString(m_result->time.toLocalTime(), QLocale::ShortFormat))
        : tr("%1, %2 on %3.")
              .arg(QLocale().toString(m_result->time.toLocalTime(), QLocale::ShortFormat), m_result->model,
                  m_result->device);
    for (const LabText& note : notes) {
        QLabel* label = cell(note, "hint");
        label->setWordWrap(true);
        column->addWidget(label);
    }
}

void ExperimentView::fillMeasures(QVBoxLayout* column) {
    auto* area = new QWidget;
    auto* grid = new QGridLayout(area);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(Measure::kSpace4);
    grid->setVerticalSpacing(6);
    const bool hasLongDetails = std::any_of(m_result->measures.begin(), m_result->measures.end(),
        [](const LabMeasure& measure) { return measure.detail.text().size() > kLongDetail; });
    grid->setColumnStretch(0, hasLongDetails ? 1 : 0);
    int at = 0;
    const auto head = [&](const QString& text, Qt::Alignment alignment = Qt::AlignLeft) {
        grid->addWidget(cell(text, "smallLabel", alignment | Qt::AlignVCenter), 0, at++);
    };
    head(tr("Measure"));
    head(tr("Your guess"));
    for (const LabText& name : m_result->columns)
        head(name, Qt::AlignRight);
    head({});
    head(tr("Outcome"));
    grid->setColumnStretch(at - 1, 1);
    grid->setColumnMinimumWidth(at - 1, m_theme.px(kOutcome)); // two or three words a line, not one
    int row = 1;
    for (const LabMeasure& measure : m_result->measures) {
        int place = 0;
        auto* title = new QWidget;
        auto* words = new QBoxLayout(hasLongDetails ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight, title);
        words->setContentsMargins(0, 0, 0, 0);
        words->setSpacing(hasLongDetails ? 0 : Measure::kSpace2);
        words->addWidget(cell(measure.name, ""));
        QLabel* detail = cell(measure.detail, "hint");
        detail->setWordWrap(hasLongDetails);
        detail->setVisible(!measure.detail.isEmpty());
        words->addWidget(detail);
        if (!hasLongDetails)
            words->addStretch();
        grid->addWidget(title, row, place++);
        grid->addWidget(cell(measure.guess, "label"), row, place++);
        for (int i = 0; i < m_result->columns.size(); ++i) {
            const bool last = i + 1 == m_result->columns.size();
            grid->addWidget(cell(measure.values.value(i, measure.values.isEmpty() ? QString() : QString(kNone)),
                                last ? "strong" : "", Qt::AlignRight | Qt::AlignVCenter),
                row, place++);
        }
        grid->addWidget(cell(measure.unit, "hint"), row, place++);
        const QString mark = !measure.right ? QString() : *measure.right ? QStringLiteral("✓ ") : QStringLiteral("✗ ");
        QLabel* verdict = cell(mark + measure.verdict, "");
        verdict->setWordWrap(true);
        setStyleProperty(verdict, "tone", !measure.right ? "" : *measure.right ? "ok" : "error");
        verdict->setAccessibleName(!measure.right ? measure.verdict.text()
                : *measure.right                  ? tr("guess right: %1").arg(measure.verdict.text())
                                                  : tr("guess wrong: %1").arg(measure.verdict.text()));
        grid->addWidget(verdict, row, place++);
        ++row;
    }
    column->addWidget(new WideArea(area));
}

void ExperimentView::fillTable(QVBoxLayout* column, const LabTable& table) {
    QLabel* title = cell(table.title, "smallLabel");
    title->setWordWrap(true);
    column->addWidget(title);
    auto* view = new ResultTable(static_cast<int>(table.rows.size()), static_cast<int>(table.head.size()));
    QStringList heads;
    for (const LabText& head : table.head)
        heads += head;
    view->setHorizontalHeaderLabels(heads);
    view->setAccessibleName(table.title);
    view->verticalHeader()->hide();
    view->setShowGrid(false);
    view->setWordWrap(true);
    view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    view->setFrameShape(QFrame::NoFrame);
    view->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    view->horizontalHeader()->setHighlightSections(false);
    view->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    for (int row = 0; row < view->rowCount(); ++row)
        for (int i = 0; i < view->columnCount(); ++i) {
            auto* item = new QTableWidgetItem(table.rows[static_cast<std::size_t>(row)].value(i));
            item->setToolTip(item->text().size() > 30 ? item->text() : QString());
            view->setItem(row, i, item);
        }
    const int line = m_theme.lineHeight(TextRole::base) + 8;
    const bool longTexts = std::any_of(table.rows.begin(), table.rows.end(), [](const LabTexts& row) {
        return std::any_of(row.begin(), row.end(), [](const LabText& text) { return text.text().size() > 60; });
    });
    if (longTexts) {
        view->wrapTexts();
    } else { // its texts stand below their heads; it does not wrap
        for (int row = 0; row < view->rowCount(); ++row)
            view->setRowHeight(row, line);
        view->setItemDelegate(new TableDelegate(m_theme, Measure::kTableRow, view));
        const int bar = view->horizontalScrollBar()->sizeHint().height();
        view->setFixedHeight(std::min(view->rowCount(), kMaxTableRows) * line + line + 12 + bar);
    }
    column->addWidget(view);
}

} // namespace vitrine::ui
