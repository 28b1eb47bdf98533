// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/models: the report of a quantization.
#include "ui/models/quality_view.h"

#include "ui/bridge/qt_convert.h"
#include "ui/theme/theme.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/selectable_text.h"
#include "ui/widgets/table_delegate.h"

#include <QHeaderView>
#include <QStandardItemModel>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace vitrine::ui {
namespace {

QStandardItem* cell(const QString& text, bool isRight = false) {
    auto* item = new QStandardItem(text);
    item->setData(int(isRight ? Qt::AlignRight : Qt::AlignLeft), Qt::TextAlignmentRole);
    item->setEditable(false);
    return item;
}

} // namespace

struct QualityView::Parts {
    const Theme& theme;
    QVBoxLayout* column = nullptr;
    QStandardItemModel figureRows, tensorRows;
    QLabel *note = nullptr, *answers = nullptr;
    QTableView *figures = nullptr, *tensors = nullptr;

    explicit Parts(const Theme& theTheme) : theme(theTheme) {}
};

QualityView::QualityView(const Theme& theme, QWidget* parent) : QWidget(parent), m(std::make_unique<Parts>(theme)) {
    m->column = new QVBoxLayout(this);
    m->column->setContentsMargins(0, 0, 0, 0);
    m->column->setSpacing(8);
    m->column->addWidget(makeLabel(tr("What it cost"), "strong"));
    m->figures = addTable(tr("Figures of the report"), 7);
    m->figures->setModel(&m->figureRows);
    m->note = makeLabel({}, "small");
    m->note->setWordWrap(true);
    m->column->addWidget(m->note);
    m->answers = makeLabel({}, "");
    m->answers->setWordWrap(true);
    m->answers->setTextFormat(Qt::PlainText);
    makeSelectable(*m->answers);
    m->answers->setAccessibleName(tr("Three answers, before and after"));
    m->column->addWidget(m->answers);
    m->column->addWidget(makeLabel(tr("Matrices, the largest error first"), "strong"));
    m->tensors = addTable(tr("Errors of the matrices"), 8);
    m->tensors->setModel(&m->tensorRows);
    hide();
}

QualityView::~QualityView() = default;

QTableView* QualityView::addTable(const QString& name, int rows) {
    auto* table = new QTableView;
    table->setAccessibleName(name);
    setUpTable(*table, m->theme, Measure::kLogRow);
    table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table->setFixedHeight(m->theme.px(Measure::kLogRow) * rows);
    m->column->addWidget(table);
    return table;
}

void QualityView::setResult(const QuantizationResult& result) {
    showFigures(result);
    showAnswers(result);
    showTensors(result.written);
    show();
}

void QualityView::showFigures(const QuantizationResult& result) {
    m->figureRows.clear();
    m->figureRows.setHorizontalHeaderLabels({QString(), tr("Source"), tr("Quantized")});
    const auto add = [this](const QString& name, const QString& before, const QString& after) {
        m->figureRows.appendRow({cell(name), cell(before, true), cell(after, true)});
    };
    const QuantizeReport& written = result.written;
    add(tr("Size"), bytesText(static_cast<double>(written.bytes_before)),
        bytesText(static_cast<double>(written.bytes_after)));
    if (const auto& quality = result.quality) {
        add(tr("Bits a weight"), fixedText(quality->reference.bits_per_weight, 2),
            fixedText(quality->candidate.bits_per_weight, 2));
        add(tr("Perplexity"), fixedText(std::exp(quality->reference.mean_nll), 3),
            fixedText(std::exp(quality->candidate.mean_nll), 3));
        add(tr("KL, mean"), QString(kNone), fixedText(quality->mean_kl, 5));
        add(tr("KL, 99.9 % of places"), QString(kNone), fixedText(quality->kl_999, 4));
        add(tr("Same first choice, %"), QString(kNone), fixedText(100 * quality->top1_agreement, 1));
    } else {
        add(tr("Bits a weight"), QString(kNone), fixedText(written.bits_per_weight, 2));
    }
    m->figures->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
    m->note->setText(!result.quality ? toQString(result.why_no_quality)
                                     : tr("Over %1 places of a text that comes with the program.")
                                           .arg(countText(result.quality->num_positions)));
    m->note->setVisible(!m->note->text().isEmpty());
}

void QualityView::showAnswers(const QuantizationResult& result) {
    QStringList lines;
    if (result.quality)
        for (const QualityReport::Answer& answer : result.quality->answers)
            lines += tr("%1\nBefore: %2\nAfter: %3")
                         .arg(toQString(answer.prompt), toQString(answer.reference).simplified(),
                             toQString(answer.candidate).simplified());
    m->answers->setText(lines.join(QStringLiteral("\n\n")));
    m->answers->setVisible(!lines.isEmpty());
}

void QualityView::showTensors(const QuantizeReport& report) {
    m->tensorRows.clear();
    m->tensorRows.setHorizontalHeaderLabels({tr("Matrix"), tr("From"), tr("To"), tr("Error, %")});
    std::vector<const QuantizedTensor*> order;
    for (const QuantizedTensor& tensor : report.tensors)
        order.push_back(&tensor);
    std::stable_sort(
        order.begin(), order.end(), [](const auto* a, const auto* b) { return a->relative_error > b->relative_error; });
    for (const QuantizedTensor* tensor : order)
        m->tensorRows.appendRow({cell(toQString(tensor->name)), cell(toQString(tensor->from)),
            cell(toQString(tensor->to)), cell(fixedText(100 * tensor->relative_error, 2), true)});
    m->tensors->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
}

} // namespace vitrine::ui
