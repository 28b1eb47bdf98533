// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/models: the detail column.
#include "ui/models/model_details.h"

#include "ui/bridge/error_text.h"
#include "ui/bridge/qt_convert.h"
#include "ui/models/fit_bar.h"
#include "ui/models/load_progress.h"
#include "ui/models/model_texts.h"
#include "ui/models/quant_picker.h"
#include "ui/store/settings.h"
#include "ui/theme/theme.h"
#include "ui/widgets/error_banner.h"
#include "ui/widgets/flow_layout.h"
#include "ui/widgets/icon_button.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/selectable_text.h"

#include <QApplication>
#include <QClipboard>
#include <QFileInfo>
#include <QGridLayout>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QScrollArea>
#include <QSlider>
#include <QStackedWidget>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <cmath>

namespace vitrine::ui {
namespace {

constexpr int kPlanDelayMs = 60; // while a slider is dragged
constexpr int kTokensToMeasure = 32; // shorter answers say little about the speed
constexpr int kDefaultContext = 8192;
constexpr int kDefaultParallel = 4;
constexpr int kMaxParallelPower = 6; // 1 to 64 sequences
constexpr std::array kKvTypes = {KvType::f16, KvType::bf16, KvType::int8, KvType::int8_head, KvType::fp8_e4m3};

QStringList kvNames() {
    QStringList names;
    for (const KvType type : kKvTypes)
        names += toQString(kernels::kv_type_name(type));
    return names;
}

template <class Container, class Value>
int positionOf(const Container& container, const Value& value) {
    const auto found = std::find(container.begin(), container.end(), value);
    return found == container.end() ? 0 : static_cast<int>(found - container.begin());
}

} // namespace

struct ModelDetails::Parts {
    const Theme& theme;
    EngineClient& client;
    Settings& settings;
    QString path;
    ModelFacts facts;
    std::vector<int> contexts{256};
    std::vector<quint64> tickets; // one a quantization choice, of the newest plan
    quint64 aloneTicket = 0; // of the first choice without the draft model; 0: there is none
    std::int64_t aloneWeights = 0, draftWeights = 0; // bytes
    int unanswered = 0; // of them
    bool planAgain = false; // the options changed meanwhile
    std::optional<LoadPlan> plan; // of the chosen quantization
    QTimer planTimer;

    QStackedWidget* stack = nullptr;
    IconButton* back = nullptr;
    ElidedLabel *title = nullptr, *about = nullptr;
    QLabel *templateLine = nullptr, *device = nullptr, *verdict = nullptr, *note = nullptr, *details = nullptr;
    FitBar* fit = nullptr;
    QSlider *context = nullptr, *parallel = nullptr, *gpuLayers = nullptr; // -1: automatic
    QLabel *contextValue = nullptr, *parallelValue = nullptr, *kvValue = nullptr;
    QLabel *gpuLayersName = nullptr, *gpuLayersValue = nullptr;
    QList<DeviceChoice> devices;
    SegmentedControl* kv = nullptr;
    DraftPicker* draft = nullptr;
    QHash<quint64, QString> draftTickets; // plans asked for a candidate
    QuantPicker* quant = nullptr;
    ErrorBanner* banner = nullptr;
    QWidget *options = nullptr, *detailsLine = nullptr;
    QVBoxLayout* column = nullptr;
    LoadProgress* progress = nullptr;
    Button *load = nullptr, *unload = nullptr, *quantize = nullptr;

    Parts(const Theme& theTheme, EngineClient& theClient, Settings& theSettings)
        : theme(theTheme), client(theClient), settings(theSettings) {}
};

ModelDetails::ModelDetails(const Theme& theme, EngineClient& client, Settings& settings, QWidget* parent)
    : QWidget(parent), m(std::make_unique<Parts>(theme, client, settings)) {
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(0);
    QWidget* header = makeHeaderBar(theme);
    auto* row = new QHBoxLayout(header);
    row->setContentsMargins(16, 0, 16, 0);
    m->back = new IconButton(theme, QStringLiteral("branch-left"), tr("Back to the list"));
    m->back->setObjectName(QStringLiteral("back"));
    m->back->hide();
    connect(m->back, &IconButton::clicked, this, &ModelDetails::backRequested);
    row->addWidget(m->back);
    m->title = new ElidedLabel(theme, TextRole::section, Color::text1);
    m->about = new ElidedLabel(theme, TextRole::base, Color::text3);
    row->addWidget(m->title);
    row->addWidget(m->about, 1);
    auto* copy = new IconButton(theme, QStringLiteral("folder"), tr("Show in its folder"));
    connect(copy, &IconButton::clicked, this, [this] { emit folderRequested(QFileInfo(m->path).absolutePath()); });
    row->addWidget(copy);
    outer->addWidget(header);
    outer->addWidget(new Hairline(theme));

    auto* content = new QWidget;
    content->setProperty("surface", "page");
    m->column = new QVBoxLayout(content);
    m->column->setContentsMargins(16, 10, 16, 16);
    m->column->setSpacing(10);
    m->banner = new ErrorBanner(theme);
    connect(m->banner, &ErrorBanner::actionTriggered, this, [this](int) {
        QGuiApplication::clipboard()->setText(
            QStringLiteral("%1\n%2\n%3").arg(m->path, m->banner->title(), m->banner->cause()));
    });
    m->column->addWidget(m->banner);
    m->templateLine = makeLabel({}, "hint");
    m->templateLine->setWordWrap(true);
    m->column->addWidget(m->templateLine);
    m->options = new QWidget;
    auto* options = new QVBoxLayout(m->options);
    options->setContentsMargins(0, 0, 0, 0);
    options->setSpacing(10);
    m->column->addWidget(m->options);
    buildFit();
    buildOptions();
    m->details = makeLabel({}, "small");
    m->details->setWordWrap(true);
    m->details->setMinimumWidth(1);
    makeSelectable(*m->details);
    m->detailsLine = new Hairline(theme);
    m->column->addWidget(m->detailsLine);
    m->column->addWidget(m->details);
    m->column->addStretch(1);
    auto* scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(content);
    outer->addWidget(scroll, 1);
    outer->addWidget(new Hairline(theme));
    buildFooter();

    m->planTimer.setSingleShot(true);
    m->planTimer.setInterval(kPlanDelayMs);
    connect(&m->planTimer, &QTimer::timeout, this, &ModelDetails::planNow);
    connect(&client, &EngineClient::planned, this, &ModelDetails::takePlan);
    connect(&client, &EngineClient::loadChanged, this, &ModelDetails::takeLoad);
    connect(&client, &EngineClient::requestFinished, this,
        [this](RequestId, const Finished& finished) { noteFinished(finished); });
    connect(&client, &EngineClient::modelChanged, this, [this] {
        refreshHeader();
        refreshButtons();
        planSoon(); // what is free has changed
    });
    connect(&client, &EngineClient::devicesProbed, this, [this](const QList<DeviceChoice>& devices) {
        m->devices = devices;
        refreshGpuLayers();
        m->fit->setPlan(m->plan, deviceTotal());
    });
    client.probeDevices();
    refreshButtons();
}

ModelDetails::~ModelDetails() = default;

void ModelDetails::buildFit() {
    auto* column = static_cast<QVBoxLayout*>(m->options->layout());
    auto* row = new FlowLayout(8);
    row->setEndsAtEdge(true);
    row->addWidget(makeLabel(tr("Fit"), "strong"));
    m->device = makeLabel({}, "hint");
    row->addWidget(m->device);
    m->verdict = makeLabel({}, "medium");
    row->addWidget(m->verdict);
    column->addLayout(row);
    m->fit = new FitBar(m->theme);
    column->addWidget(m->fit);
    m->note = makeLabel({}, "small");
    m->note->setWordWrap(true);
    column->addWidget(m->note);
    column->addWidget(new Hairline(m->theme));
}

void ModelDetails::buildOptions() {
    auto* column = static_cast<QVBoxLayout*>(m->options->layout());
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(10);
    grid->setColumnStretch(1, 1);
    const auto addRow = [&](int row, const QString& name, QWidget* control, QLabel* value) -> QLabel* {
        auto* label = makeLabel(name, "label");
        label->setBuddy(control);
        control->setAccessibleName(name);
        grid->addWidget(label, row, 0);
        grid->addWidget(control, row, 1);
        value->setMinimumWidth(m->theme.px(66));
        value->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        grid->addWidget(value, row, 2);
        return label;
    };
    m->context = new QSlider(Qt::Horizontal);
    m->contextValue = makeLabel({}, "");
    addRow(0, tr("Context"), m->context, m->contextValue);
    m->parallel = new QSlider(Qt::Horizontal);
    m->parallel->setRange(0, kMaxParallelPower);
    m->parallelValue = makeLabel({}, "");
    addRow(1, tr("Parallel"), m->parallel, m->parallelValue);
    m->kv = new SegmentedControl(m->theme, kvNames());
    m->kvValue = makeLabel({}, "small");
    addRow(2, tr("KV type"), m->kv, m->kvValue);
    grid->removeWidget(m->kv);
    grid->addWidget(m->kv, 3, 0, 1, 3); // a line of its own: five names
    m->kv->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m->kv->setWraps(true);
    m->gpuLayers = new QSlider(Qt::Horizontal);
    m->gpuLayersValue = makeLabel({}, "");
    m->gpuLayersName = addRow(4, tr("GPU layers"), m->gpuLayers, m->gpuLayersValue);
    m->gpuLayers->setToolTip(tr("The first layers run on the GPU, the others on the CPU"));
    column->addLayout(grid);
    column->addWidget(new Hairline(m->theme));
    m->quant = new QuantPicker(m->theme);
    column->addWidget(m->quant);
    m->quantize = new Button(m->theme, tr("Quantize"));
    m->quantize->setObjectName(QStringLiteral("quantize"));
    m->quantize->setToolTip(tr("Write this model in another type, and see what that costs"));
    connect(m->quantize, &Button::clicked, this, [this] { emit quantizeRequested(m->path); });
    column->addWidget(m->quantize, 0, Qt::AlignLeft);
    column->addWidget(new Hairline(m->theme));
    m->draft = new DraftPicker(m->theme);
    column->addWidget(m->draft);
    for (QSlider* slider : {m->context, m->parallel, m->gpuLayers}) {
        slider->setPageStep(1);
        connect(slider, &QSlider::valueChanged, this, &ModelDetails::planSoon);
    }
    connect(m->kv, &SegmentedControl::currentChanged, this, &ModelDetails::planSoon);
    connect(m->draft, &DraftPicker::chosenChanged, this, &ModelDetails::planSoon);
    connect(m->quant, &QuantPicker::chosenChanged, this, &ModelDetails::planSoon);
}

void ModelDetails::buildFooter() {
    auto* footer = new QWidget;
    auto* row = new QHBoxLayout(footer);
    row->setContentsMargins(16, 10, 16, 10);
    row->setSpacing(8);
    m->load = new Button(m->theme, tr("Load"), Button::Kind::primary);
    connect(m->load, &Button::clicked, this, &ModelDetails::load);
    m->unload = new Button(m->theme, tr("Unload"));
    connect(m->unload, &Button::clicked, &m->client, &EngineClient::unload);
    m->progress = new LoadProgress(m->theme);
    connect(m->progress, &LoadProgress::cancelRequested, &m->client, &EngineClient::cancelLoad);
    row->addWidget(m->load);
    row->addWidget(m->unload);
    row->addWidget(m->progress, 1);
    row->addStretch(0);
    m->progress->hide();
    layout()->addWidget(footer);
}

void ModelDetails::showModel(const QString& path, const ModelFacts& facts) {
    const bool other = path != m->path;
    const bool wasKnown = m->facts.info.has_value();
    m->path = path;
    m->facts = facts;
    if (other)
        m->banner->dismiss();
    if (!facts.error.isEmpty())
        m->banner->showMessage(ErrorBanner::Kind::error, facts.error, facts.remedy, {tr("Copy report")});
    m->options->setVisible(facts.info.has_value());
    if (facts.info && (other || !wasKnown)) {
        m->quant->setModel(*facts.info);
        m->draft->setCandidates({}); // the page knows those of the new model
        refreshSpeeds();
        m->plan.reset();
        applyOptions(engineConfigFromJson(m->settings.loadOptions(path)));
        planNow();
    }
    refreshHeader();
    refreshFacts();
    refreshButtons();
}

void ModelDetails::refreshSpeeds() {
    QHash<QString, double> speeds;
    const QJsonObject known = m->settings.measuredSpeeds(m->path);
    for (auto it = known.begin(); it != known.end(); ++it)
        speeds.insert(it.key(), it.value().toDouble());
    m->quant->setSpeeds(speeds);
}

void ModelDetails::noteFinished(const Finished& finished) {
    const auto model = m->client.model();
    const double seconds = toSeconds(finished.timings.decode);
    if (!model || finished.usage.output_tokens < kTokensToMeasure || seconds <= 0)
        return;
    const QString path = toQString(model->info.path);
    m->settings.noteSpeed(path, toQString(model->config.quantize), (finished.usage.output_tokens - 1) / seconds);
    if (path == m->path)
        refreshSpeeds();
}

void ModelDetails::showNothing() {
    m->path.clear();
    m->facts = {};
    m->banner->dismiss();
    m->options->hide();
    refreshHeader();
    refreshFacts();
    refreshButtons();
}

void ModelDetails::setBackVisible(bool visible) {
    m->back->setVisible(visible);
}

QString ModelDetails::path() const {
    return m->path;
}

void ModelDetails::refreshHeader() {
    const auto& info = m->facts.info;
    m->title->setText(m->path.isEmpty() ? tr("No model chosen") : modelName(m->path, info));
    if (!info) {
        m->about->setText(QString());
        m->templateLine->setText(
            m->path.isEmpty() ? tr("Choose a file in the table, or drop a .gguf anywhere in the window.") : QString());
        m->templateLine->setVisible(m->path.isEmpty());
        setStyleProperty(m->templateLine, "tone", "");
        return;
    }
    m->about->setText(tr("%1 · %2 layers · %3 KV heads × %4")
                          .arg(parametersText(info->parameters))
                          .arg(info->num_layers)
                          .arg(info->num_kv_heads)
                          .arg(info->head_dim));
    const auto model = m->client.model();
    const bool isLoaded = model && toQString(model->info.path) == m->path;
    const QString note =
        isLoaded && model->template_note ? toQString(worded(*model->template_note).message) : QString();
    m->templateLine->setVisible(true);
    m->templateLine->setText(!note.isEmpty() ? note
            : info->has_chat_template        ? tr("✓ Chat template in the file")
                                      : tr("No chat template in this file: it goes on with a text and does not chat."));
    setStyleProperty(m->templateLine, "tone", info->has_chat_template && note.isEmpty() ? "ok" : "warn");
}

void ModelDetails::refreshFacts() {
    m->detailsLine->setVisible(m->facts.info.has_value());
    if (!m->facts.info)
        return m->details->clear();
    m->details->setText(factsText(m->path, *m->facts.info));
}

void ModelDetails::refreshButtons() {
    const auto model = m->client.model();
    const bool isLoaded = model && toQString(model->info.path) == m->path;
    const bool loading = m->client.isLoading();
    const QString quant = m->quant->chosen();
    const bool hadFocus = m->load->hasFocus() || m->progress->isAncestorOf(QApplication::focusWidget());
    m->load->setText(isLoaded ? tr("Load again")
            : quant.isEmpty() ? tr("Load")
                              : tr("Load as %1").arg(quant.toUpper()));
    m->load->setEnabled(m->facts.info.has_value() && m->facts.error.isEmpty() && !loading);
    m->load->setVisible(!loading);
    m->unload->setVisible(isLoaded && !loading);
    m->quantize->setEnabled(m->facts.info && !m->facts.info->vocabulary_only);
    m->progress->setVisible(loading);
    if (hadFocus) // the button under it went: the one in its place takes the keys
        (loading ? static_cast<QWidget*>(m->progress) : m->load)->setFocus();
}

EngineConfig ModelDetails::config() const {
    EngineConfig config = engineConfigFromJson(m->settings.loadOptions(m->path));
    config.device = toStdString(m->settings.value(keys::kDevice));
    config.context = m->contexts[static_cast<std::size_t>(
        std::clamp(m->context->value(), 0, static_cast<int>(m->contexts.size()) - 1))];
    config.max_seqs = std::max(config.max_seqs, 1 << m->parallel->value());
    const int block = config.block_tokens > 0 ? config.block_tokens : 16;
    config.num_blocks = (config.context + block - 1) / block * (1 << m->parallel->value());
    config.kv_type = kKvTypes[static_cast<std::size_t>(std::max(0, m->kv->current()))];
    config.gpu_layers = hasGpu() ? m->gpuLayers->value() : -1;
    config.draft = toStdString(m->draft->chosen());
    config.quantize = toStdString(m->quant->chosen());
    return config;
}

void ModelDetails::applyOptions(const EngineConfig& config) {
    const int maximum = std::max(256, m->facts.info->context_length);
    m->contexts = contextSteps(maximum);
    const int wanted = config.context > 0 ? config.context : std::min(maximum, kDefaultContext);
    int step = 0;
    while (step + 1 < static_cast<int>(m->contexts.size()) && m->contexts[static_cast<std::size_t>(step)] < wanted)
        ++step;
    const int block = config.block_tokens > 0 ? config.block_tokens : 16;
    const int perSequence = std::max(1, (wanted + block - 1) / block);
    const int parallel = config.num_blocks > 0 ? std::max(1, config.num_blocks / perSequence) : kDefaultParallel;
    const QSignalBlocker blockers[] = {QSignalBlocker(m->context), QSignalBlocker(m->parallel), QSignalBlocker(m->kv),
        QSignalBlocker(m->gpuLayers), QSignalBlocker(m->draft), QSignalBlocker(m->quant)};
    m->context->setRange(0, static_cast<int>(m->contexts.size()) - 1);
    m->context->setValue(step);
    m->parallel->setValue(static_cast<int>(std::lround(std::log2(parallel))));
    m->kv->setCurrent(positionOf(kKvTypes, config.kv_type));
    m->gpuLayers->setRange(-1, m->facts.info->num_layers);
    m->gpuLayers->setValue(config.gpu_layers);
    refreshGpuLayers();
    m->draft->setChosen(toQString(config.draft));
    m->quant->setChosen(toQString(config.quantize));
}

/// A GPU that the device setting allows.
bool ModelDetails::hasGpu() const {
    return m->settings.value(keys::kDevice) != u"cpu" &&
        std::any_of(m->devices.begin(), m->devices.end(), [](const DeviceChoice& choice) {
            return choice.unusableReason.isEmpty() && choice.info.id.starts_with("cuda");
        });
}

/// Of the devices that the plan uses, or of the first one before there is a plan.
qint64 ModelDetails::deviceTotal() const {
    qint64 total = 0;
    for (const DeviceChoice& choice : m->devices) {
        const auto isUsed = [&](const DevicePlan& part) { return part.device == choice.info.id; };
        if (choice.unusableReason.isEmpty() &&
            (!m->plan || std::any_of(m->plan->devices.begin(), m->plan->devices.end(), isUsed)))
            total = m->plan ? total + choice.info.memory_total_bytes : choice.info.memory_total_bytes;
    }
    return total;
}

void ModelDetails::refreshGpuLayers() {
    for (QWidget* widget : {static_cast<QWidget*>(m->gpuLayers), static_cast<QWidget*>(m->gpuLayersName),
             static_cast<QWidget*>(m->gpuLayersValue)})
        widget->setVisible(hasGpu());
    const int layers = m->gpuLayers->value();
    m->gpuLayersValue->setText(layers < 0 ? tr("automatic") : tr("%1 of %2").arg(layers).arg(m->gpuLayers->maximum()));
}

void ModelDetails::planSoon() {
    if (!m->facts.info)
        return;
    const EngineConfig now = config();
    m->contextValue->setText(countText(now.context));
    m->parallelValue->setText(countText(1 << m->parallel->value()));
    refreshGpuLayers();
    refreshButtons();
    if (!m->planTimer.isActive())
        m->planTimer.start();
}

void ModelDetails::planNow() {
    if (!m->facts.info)
        return;
    if (m->unanswered > 0) { // a plan reads the file: while a slider is dragged one set of questions is enough
        m->planAgain = true;
        return;
    }
    m->planAgain = false;
    EngineConfig wanted = config();
    m->contextValue->setText(countText(wanted.context));
    m->parallelValue->setText(countText(1 << m->parallel->value()));
    m->fit->setFresh(false);
    m->tickets.clear();
    m->aloneTicket = 0;
    m->draftWeights = 0;
    if (m->draft->isModelChosen()) { // plans hold its weights too; they are answered in order
        EngineConfig alone = wanted;
        alone.draft.clear();
        alone.quantize = toStdString(QuantPicker::choices()[0]);
        m->aloneTicket = m->client.plan(m->path, alone);
    }
    for (const QString& quantize : QuantPicker::choices()) {
        wanted.quantize = toStdString(quantize);
        m->tickets.push_back(m->client.plan(m->path, wanted));
        ++m->unanswered;
    }
    const auto& perToken = m->facts.info->kv_bytes_per_token;
    const auto bytes = perToken.find(std::string(kernels::kv_type_name(wanted.kv_type)));
    m->kvValue->setText(
        bytes == perToken.end() ? QString(kNone) : tr("%1/tok").arg(bytesText(static_cast<double>(bytes->second))));
}

void ModelDetails::setDraftCandidates(const std::vector<DraftPicker::Candidate>& candidates) {
    QStringList paths;
    for (const DraftPicker::Candidate& candidate : candidates)
        paths += candidate.path;
    if (paths == m->draft->candidatePaths())
        return;
    m->draft->setCandidates(candidates);
    m->draftTickets.clear();
    EngineConfig wanted = config();
    for (const DraftPicker::Candidate& candidate : candidates) {
        wanted.draft = toStdString(candidate.path);
        m->draftTickets.insert(m->client.plan(m->path, wanted), candidate.path);
    }
}

void ModelDetails::takePlan(const Planning& planning) {
    if (const QString draft = m->draftTickets.take(planning.ticket); !draft.isEmpty()) {
        if (planning.path == m->path)
            m->draft->setReason(draft, planning.plan ? QString() : toQString(planning.plan.error().message));
        return;
    }
    if (planning.ticket == m->aloneTicket) {
        m->aloneWeights = planning.plan ? planning.plan->weights : 0;
        return;
    }
    const auto found = std::find(m->tickets.begin(), m->tickets.end(), planning.ticket);
    if (found == m->tickets.end())
        return; // of an older set of options
    if (--m->unanswered == 0 && m->planAgain)
        m->planTimer.start();
    if (planning.path != m->path)
        return;
    const auto choice = static_cast<std::size_t>(found - m->tickets.begin());
    const std::optional<LoadPlan> plan = planning.plan ? std::optional(*planning.plan) : std::nullopt;
    const QString error = planning.plan ? QString() : toQString(planning.plan.error().message);
    if (choice == 0 && plan && m->aloneTicket != 0 && m->aloneWeights > 0)
        m->draftWeights = plan->weights - m->aloneWeights;
    m->quant->setPlan(static_cast<int>(choice), plan, m->draftWeights, error);
    if (QuantPicker::choices()[choice] != m->quant->chosen())
        return;
    m->plan = plan;
    m->fit->setPlan(plan, deviceTotal());
    if (!plan) {
        m->verdict->setText(tr("cannot be planned"));
        m->note->setText(error);
        return setStyleProperty(m->verdict, "tone", "warn");
    }
    m->device->setText(tr("%1, %2 free").arg(toQString(plan->device), bytesText(static_cast<double>(plan->available))));
    m->verdict->setText(m->fit->verdict());
    setStyleProperty(m->verdict, "tone", plan->fits ? "ok" : "warn");
    const auto model = m->client.model();
    QString note = tr("%1 blocks of %2 tokens; memory for %3 full contexts.")
                       .arg(countText(plan->num_blocks))
                       .arg(plan->block_tokens)
                       .arg(plan->max_parallel);
    if (const QString shared = sharedText(*plan); !shared.isEmpty())
        note += u' ' + shared;
    if (model && toQString(model->info.path) == m->path) {
        const auto predicted = static_cast<double>(model->plan.weights + model->plan.kv);
        const auto measured = static_cast<double>(model->measured_weight_bytes + model->measured_kv_bytes);
        note += u' ' + tr("Loaded now: predicted %1, measured %2.").arg(bytesText(predicted), bytesText(measured));
    } else if (model) {
        note += u' ' + tr("%1 is replaced, so its memory counts as free.").arg(toQString(model->info.name));
    }
    m->note->setText(note);
}

void ModelDetails::load() {
    if (!m->facts.info)
        return;
    m->banner->dismiss();
    const EngineConfig wanted = config();
    m->settings.setLoadOptions(m->path, toJson(wanted));
    if (const auto started = m->client.load(m->path, wanted); !started)
        m->banner->showMessage(ErrorBanner::Kind::error, tr("Not loaded: %1").arg(toQString(started.error().message)),
            toQString(started.error().remedy), {tr("Copy report")});
    refreshButtons();
}

void ModelDetails::takeLoad(const LoadState& state) {
    m->progress->setState(state);
    refreshButtons();
    if (state.stage == LoadStage::failed && state.path == m->path) {
        const auto model = m->client.model();
        QString cause = toQString(state.error.remedy);
        if (model)
            cause +=
                QStringLiteral("\n") + tr("%1 stays loaded and goes on answering.").arg(toQString(model->info.name));
        m->banner->showMessage(ErrorBanner::Kind::error, tr("Not loaded: %1").arg(toQString(state.error.message)),
            cause, {tr("Copy report")});
    } else if (state.stage == LoadStage::done) {
        m->settings.noteModelUsed(state.path);
    }
}

} // namespace vitrine::ui
