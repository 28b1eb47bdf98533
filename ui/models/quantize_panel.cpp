// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/models: the form of a quantization, its progress and its report.
#include "ui/models/quantize_panel.h"

#include "ui/bridge/qt_convert.h"
#include "ui/models/model_list_model.h"
#include "ui/models/quality_view.h"
#include "ui/theme/theme.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/error_banner.h"
#include "ui/widgets/icon_button.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/numbers.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFileInfo>
#include <QGridLayout>
#include <QProgressBar>
#include <QScrollArea>
#include <QVBoxLayout>

namespace vitrine::ui {
namespace {

constexpr int kBarSteps = 1000;
const QString kDefaultType = QStringLiteral("q4_k_m");

QString methodName(const QString& method) {
    if (method == QLatin1String("gptq"))
        return QuantizePanel::tr("GPTQ, sees a text");
    if (method == QLatin1String("awq"))
        return QuantizePanel::tr("AWQ, sees a text");
    return QuantizePanel::tr("Round to nearest");
}

QString phaseText(const QuantizationProgress& progress) {
    switch (progress.phase) {
    case QuantizationPhase::calibrating:
        return QuantizePanel::tr("Watching the text: %1 of %2").arg(progress.done).arg(progress.total);
    case QuantizationPhase::writing:
        return QuantizePanel::tr("Writing: %1 of %2")
            .arg(bytesText(static_cast<double>(progress.done)), bytesText(static_cast<double>(progress.total)));
    case QuantizationPhase::judging:
        return QuantizePanel::tr("Comparing with the source: %1 of %2 tokens")
            .arg(countText(progress.done), countText(progress.total));
    }
    return {};
}

} // namespace

struct QuantizePanel::Parts {
    const Theme& theme;
    Dialogs& dialogs;
    QString folder; // for written models
    QuantizationRunner& runner;
    QString source, name; // path, and how people call it
    QString textFile; // that gptq and awq see
    std::optional<QuantizationResult> result; // of the last job

    QVBoxLayout* column = nullptr; // of the page
    QVBoxLayout* content = nullptr; // inside the scroll area
    ElidedLabel* title = nullptr;
    QWidget* form = nullptr;
    QComboBox *type = nullptr, *method = nullptr;
    QLabel *textLabel = nullptr, *hint = nullptr, *phase = nullptr;
    Button *text = nullptr, *browse = nullptr, *start = nullptr, *cancel = nullptr, *save = nullptr;
    QLineEdit* target = nullptr;
    QCheckBox* judge = nullptr;
    ErrorBanner* banner = nullptr;
    QProgressBar* bar = nullptr;
    QualityView* view = nullptr;

    Parts(const Theme& theTheme, Dialogs& theDialogs, QString theFolder, QuantizationRunner& theRunner)
        : theme(theTheme), dialogs(theDialogs), folder(std::move(theFolder)), runner(theRunner) {}

    [[nodiscard]] const QuantizationType& chosen() const {
        return quantization_types()[static_cast<std::size_t>(std::max(0, type->currentIndex()))];
    }
};

QuantizePanel::QuantizePanel(
    const Theme& theme, Dialogs& dialogs, const QString& folder, QuantizationRunner& runner, QWidget* parent)
    : QWidget(parent), m(std::make_unique<Parts>(theme, dialogs, folder, runner)) {
    m->column = new QVBoxLayout(this);
    m->column->setContentsMargins(0, 0, 0, 0);
    m->column->setSpacing(0);
    buildHead();
    auto* content = new QWidget;
    content->setProperty("surface", "page");
    m->content = new QVBoxLayout(content);
    m->content->setContentsMargins(16, 12, 16, 16);
    m->content->setSpacing(10);
    m->banner = new ErrorBanner(theme);
    m->content->addWidget(m->banner);
    buildForm();
    buildProgress();
    m->view = new QualityView(theme);
    m->content->addWidget(m->view);
    m->content->addStretch(1);
    auto* scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(content);
    m->column->addWidget(scroll, 1);
    buildFooter();
    connect(&runner, &QuantizationRunner::progressed, this, &QuantizePanel::showProgress);
    connect(&runner, &QuantizationRunner::finished, this, &QuantizePanel::finish);
    chooseType();
    takeUp();
}

QuantizePanel::~QuantizePanel() = default;

void QuantizePanel::takeUp() {
    if (!m->runner.isRunning() && !m->runner.outcome())
        return;
    const QuantizationTask& task = m->runner.task();
    m->source = toQString(task.source);
    m->name = QFileInfo(m->source).completeBaseName();
    m->title->setText(tr("Quantize %1").arg(m->name));
    for (int i = 0; i < m->type->count(); ++i)
        if (quantization_types()[static_cast<std::size_t>(i)].name == task.type)
            m->type->setCurrentIndex(i);
    m->method->setCurrentIndex(m->method->findText(methodName(toQString(task.method))));
    m->target->setText(toQString(task.target));
    m->phase->setText(tr("Reading the source"));
    if (m->runner.outcome())
        finish(*m->runner.outcome());
    else
        refresh();
}

void QuantizePanel::buildHead() {
    QWidget* header = makeHeaderBar(m->theme);
    auto* row = new QHBoxLayout(header);
    row->setContentsMargins(16, 0, 12, 0);
    m->title = new ElidedLabel(m->theme, TextRole::section, Color::text1);
    row->addWidget(m->title, 1);
    auto* close = new IconButton(m->theme, QStringLiteral("close"), tr("Back to the details"));
    connect(close, &IconButton::clicked, this, &QuantizePanel::closed);
    row->addWidget(close);
    m->column->addWidget(header);
    m->column->addWidget(new Hairline(m->theme));
}

void QuantizePanel::buildForm() {
    m->form = new QWidget;
    auto* grid = new QGridLayout(m->form);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(10);
    grid->setColumnStretch(1, 1);
    const auto addRow = [&](const QString& name, QWidget* control, QWidget* after = nullptr) {
        const int row = grid->rowCount();
        auto* label = makeLabel(name, "label");
        label->setBuddy(control);
        control->setAccessibleName(name);
        grid->addWidget(label, row, 0);
        grid->addWidget(control, row, 1, 1, after == nullptr ? 2 : 1);
        if (after != nullptr)
            grid->addWidget(after, row, 2);
        return label;
    };
    m->type = new QComboBox;
    for (const QuantizationType& type : quantization_types()) {
        const QString name = toQString(type.name);
        m->type->addItem(type.is_folder ? tr("%1, a folder of safetensors").arg(name.toUpper()) : name.toUpper());
        if (name == kDefaultType)
            m->type->setCurrentIndex(m->type->count() - 1);
    }
    addRow(tr("Type"), m->type);
    m->method = new QComboBox;
    addRow(tr("Method"), m->method);
    for (QComboBox* box : {m->type, m->method}) { // long names are elided, not the page widened
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(8);
    }
    m->text = new Button(m->theme, tr("Choose a text"));
    m->textLabel = addRow(tr("Text it sees"), m->text);
    m->target = new QLineEdit;
    m->browse = new Button(m->theme, tr("Browse"));
    m->browse->setAccessibleName(tr("Choose where to write"));
    addRow(tr("Written to"), m->target, m->browse);
    m->judge = new QCheckBox(tr("Compare with the source afterwards"));
    m->judge->setChecked(true);
    grid->addWidget(m->judge, grid->rowCount(), 0, 1, 3);
    m->hint = makeLabel({}, "hint");
    m->hint->setWordWrap(true);
    grid->addWidget(m->hint, grid->rowCount(), 0, 1, 3);
    m->content->addWidget(m->form);
    connect(m->type, &QComboBox::currentIndexChanged, this, &QuantizePanel::chooseType);
    connect(m->method, &QComboBox::currentIndexChanged, this, &QuantizePanel::refreshTarget);
    connect(m->text, &Button::clicked, this, &QuantizePanel::askForText);
    connect(m->browse, &Button::clicked, this, &QuantizePanel::askForTarget);
    connect(m->target, &QLineEdit::textChanged, this, &QuantizePanel::refresh);
}

void QuantizePanel::buildProgress() {
    m->bar = new QProgressBar;
    m->bar->setRange(0, kBarSteps);
    m->bar->setTextVisible(false);
    m->bar->setProperty("size", "load");
    m->bar->setAccessibleName(tr("Progress of the quantization"));
    m->content->addWidget(m->bar);
    m->phase = makeLabel({}, "hint");
    m->content->addWidget(m->phase);
}

void QuantizePanel::buildFooter() {
    m->column->addWidget(new Hairline(m->theme));
    auto* foot = new QHBoxLayout;
    foot->setContentsMargins(16, 10, 16, 10);
    foot->setSpacing(8);
    m->start = new Button(m->theme, tr("Quantize"), Button::Kind::primary);
    connect(m->start, &Button::clicked, this, &QuantizePanel::start);
    m->cancel = new Button(m->theme, tr("Cancel"));
    m->cancel->setAccessibleName(tr("Cancel the quantization"));
    connect(m->cancel, &Button::clicked, this, [this] {
        m->cancel->setEnabled(false);
        m->runner.cancel();
    });
    m->save = new Button(m->theme, tr("Save report"));
    connect(m->save, &Button::clicked, this, &QuantizePanel::saveReport);
    for (Button* button : {m->start, m->cancel, m->save})
        foot->addWidget(button);
    foot->addStretch();
    m->column->addLayout(foot);
}

void QuantizePanel::setSource(const QString& path, const ModelInfo& info) {
    if (m->runner.isRunning() || path == m->source)
        return;
    m->source = path;
    m->name = modelName(path, info);
    m->title->setText(tr("Quantize %1").arg(m->name));
    m->result.reset();
    m->view->hide();
    m->banner->dismiss();
    refreshTarget();
}

bool QuantizePanel::isRunning() const {
    return m->runner.isRunning();
}

QString QuantizePanel::method() const {
    const auto& methods = m->chosen().methods;
    return toQString(methods[static_cast<std::size_t>(std::max(0, m->method->currentIndex()))]);
}

void QuantizePanel::chooseType() {
    const QSignalBlocker blocker(m->method);
    m->method->clear();
    for (const std::string_view method : m->chosen().methods)
        m->method->addItem(methodName(toQString(method)));
    m->method->setEnabled(m->method->count() > 1);
    refreshTarget();
}

void QuantizePanel::refreshTarget() {
    const QuantizationType& type = m->chosen();
    const QString ending = type.is_folder ? QStringLiteral("%1-%2").arg(toQString(type.name), method())
                                          : toQString(type.name).toUpper() + QStringLiteral(".gguf");
    m->target->setText(QDir(m->folder).filePath(QStringLiteral("%1-%2").arg(m->name, ending)));
    refresh();
}

void QuantizePanel::refresh() {
    const bool runs = m->runner.isRunning();
    const bool seesText = method() != QLatin1String("rtn");
    const QString target = m->target->text().trimmed();
    m->text->setVisible(seesText);
    m->textLabel->setVisible(seesText);
    m->text->setText(m->textFile.isEmpty() ? tr("Choose a text") : QFileInfo(m->textFile).fileName());
    QString missing;
    if (target.isEmpty())
        missing = tr("Say where the model is to be written.");
    else if (QFileInfo::exists(target) && !runs && !m->result)
        missing = tr("%1 is there already: choose another name.").arg(QFileInfo(target).fileName());
    else if (seesText && m->textFile.isEmpty())
        missing = tr("This method watches the model at work: choose a text, a few pages of what it will be asked.");
    m->hint->setText(missing);
    m->hint->setVisible(!missing.isEmpty());
    m->form->setEnabled(!runs);
    m->start->setVisible(!runs);
    m->start->setEnabled(!m->source.isEmpty() && missing.isEmpty() && !QFileInfo::exists(target));
    m->cancel->setVisible(runs);
    m->bar->setVisible(runs);
    m->phase->setVisible(runs);
    m->save->setVisible(!runs && m->result.has_value());
}

void QuantizePanel::askForTarget() {
    const QString current = m->target->text();
    const auto take = [this](const QString& path) {
        if (!path.isEmpty())
            m->target->setText(path);
    };
    if (!m->chosen().is_folder)
        return m->dialogs.saveFile(
            this, tr("Write the model to"), current, {tr("GGUF models"), {QStringLiteral("*.gguf")}}, take);
    m->dialogs.openFolder(this, tr("Folder that takes the model"), [current, take](const QString& folder) {
        take(folder.isEmpty() ? QString() : QDir(folder).filePath(QFileInfo(current).fileName()));
    });
}

void QuantizePanel::askForText() {
    m->dialogs.openFiles(this, tr("Choose a text"), {tr("Texts"), {QStringLiteral("*.txt"), QStringLiteral("*.md")}},
        false, [this](const QStringList& files) {
            if (!files.isEmpty())
                m->textFile = files.first();
            refresh();
        });
}

void QuantizePanel::start() {
    QuantizationTask task;
    task.source = toStdString(m->source);
    task.target = toStdString(m->target->text().trimmed());
    task.type = std::string(m->chosen().name);
    task.method = toStdString(method());
    if (m->judge->isChecked())
        task.judged_by = built_in_quality_text();
    m->banner->dismiss();
    m->result.reset();
    m->view->hide();
    m->bar->setValue(0);
    m->phase->setText(tr("Reading the source"));
    m->cancel->setEnabled(true);
    m->runner.start(task, task.method == "rtn" ? QString() : m->textFile);
    refresh();
}

void QuantizePanel::showProgress(const QuantizationProgress& progress) {
    const double share =
        progress.total > 0 ? static_cast<double>(progress.done) / static_cast<double>(progress.total) : 0;
    m->bar->setValue(static_cast<int>(share * kBarSteps));
    m->phase->setText(phaseText(progress));
}

void QuantizePanel::finish(const QuantizationOutcome& outcome) {
    if (!outcome.result) {
        const Error& error = outcome.result.error();
        const bool cancelled = error.code == ErrorCode::cancelled;
        m->banner->showMessage(cancelled ? ErrorBanner::Kind::info : ErrorBanner::Kind::error, toQString(error.message),
            toQString(error.remedy));
        return refresh();
    }
    m->result = *outcome.result;
    m->view->setResult(*m->result);
    const QString target = toQString(m->runner.task().target);
    m->banner->showMessage(ErrorBanner::Kind::success, tr("%1 is written.").arg(QFileInfo(target).fileName()), target);
    refresh();
    emit written(target);
}

void QuantizePanel::saveReport() {
    const QString suggested = QFileInfo(toQString(m->runner.task().target)).completeBaseName() + QStringLiteral(".md");
    m->dialogs.saveFile(this, tr("Save the report"), suggested,
        {tr("Reports"), {QStringLiteral("*.md"), QStringLiteral("*.json")}}, [this](const QString& path) {
            if (path.isEmpty() || !m->result)
                return;
            QFile file(path);
            const QByteArray report = QuantizationRunner::reportFile(*m->result, path);
            if (!file.open(QIODevice::WriteOnly) || file.write(report) != report.size())
                m->banner->showMessage(
                    ErrorBanner::Kind::error, tr("The report was not saved: %1").arg(file.errorString()), path);
        });
}

} // namespace vitrine::ui
