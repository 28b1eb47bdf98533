// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: an empty chat: this machine, a model, three things to try.
#include "ui/chat/first_state.h"

#include <QGridLayout>
#include <QLabel>
#include <QPainter>
#include <QStyle>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <climits>

#include "ui/bridge/qt_convert.h"
#include "ui/chat/model_choice_row.h"
#include "ui/store/settings.h"
#include "ui/widgets/icon_button.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/selectable_text.h"

namespace vitrine::ui {

namespace {

constexpr int kMaxColumn = 760;
constexpr int kMaxChoices = 4;

/// A card with an icon and a few words, as high as they need in its width.
class PromptCard final : public QAbstractButton {
public:
    PromptCard(const Theme& theme, const QString& icon, const QString& text, QWidget* parent = nullptr)
        : QAbstractButton(parent), m_theme(theme), m_icon(icon) {
        setText(text);
        setAccessibleName(text);
        setFocusPolicy(Qt::StrongFocus);
        setCursor(Qt::PointingHandCursor);
        QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
        policy.setHeightForWidth(true);
        setSizePolicy(policy);
    }
    [[nodiscard]] QSize sizeHint() const override { return {m_theme.px(120), heightForWidth(m_theme.px(120))}; }
    [[nodiscard]] int heightForWidth(int width) const override {
        const QRect words(0, 0, width - 2 * m_theme.px(kPadding), INT_MAX);
        const QFontMetrics metrics(m_theme.font(TextRole::base));
        const int lines = metrics.boundingRect(words, Qt::AlignLeft | Qt::TextWordWrap, text()).height();
        return std::max(m_theme.px(kLeastHeight), wordsTop() + lines + m_theme.px(kPadding));
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(m_theme.color(Color::outline));
        painter.setBrush(m_theme.color(underMouse() || isDown() ? Color::hover : Color::page));
        painter.drawRoundedRect(
            QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), Measure::kRadiusCard, Measure::kRadiusCard);
        const int padding = m_theme.px(kPadding);
        const int size = m_theme.px(Measure::kIconRow);
        const QRect place(padding, padding, size, size);
        painter.drawPixmap(QStyle::visualRect(layoutDirection(), rect(), place).topLeft(),
            m_theme.pixmap(m_icon, size, Color::text2, devicePixelRatioF()));
        painter.setFont(m_theme.font(TextRole::base));
        painter.setPen(m_theme.color(Color::text1));
        painter.drawText(
            rect().adjusted(padding, wordsTop(), -padding, 0), Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, text());
    }

private:
    static constexpr int kPadding = 14;
    static constexpr int kLeastHeight = 94;
    [[nodiscard]] int wordsTop() const { return m_theme.px(kPadding + Measure::kIconRow + 9); }

    const Theme& m_theme;
    QString m_icon;
};

} // namespace

FirstState::FirstState(
    const Theme& theme, EngineClient& client, Settings& settings, const QString& dataDir, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_client(client), m_settings(settings), m_dataDir(dataDir) {
    auto* outer = new QHBoxLayout(this);
    outer->setContentsMargins(32, 16, 32, 16);
    auto* column = new QWidget;
    column->setMaximumWidth(theme.px(kMaxColumn));
    outer->addStretch(1);
    outer->addWidget(column, 100);
    outer->addStretch(1);
    auto* layout = new QVBoxLayout(column);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addStretch(2);
    m_title = makeLabel({}, "title");
    m_title->setObjectName(QStringLiteral("firstTitle"));
    m_title->setWordWrap(true);
    layout->addWidget(m_title);
    layout->addSpacing(28);
    buildMachine(*layout);
    layout->addSpacing(24);
    buildModels(*layout);
    layout->addSpacing(24);
    buildPrompts(*layout);
    layout->addStretch(3);
    refreshTitle();
    connect(&m_folders, &ModelFolders::found, this, &FirstState::takeFolders);
    connect(&client, &EngineClient::devicesProbed, this, &FirstState::showDevices);
    connect(&client, &EngineClient::modelChanged, this, &FirstState::refreshLoaded);
    connect(&client, &EngineClient::inspected, this, [this](const Inspection& answer) {
        for (ModelChoiceRow* row : std::as_const(m_choices))
            if (row->path() == answer.path)
                row->setInfo(answer.info);
        if (!answer.info && !m_unreadable.contains(answer.path)) {
            m_unreadable.insert(answer.path);
            takeFiles(m_files); // those that can be read go first
        }
    });
    connect(&client, &EngineClient::planned, this, [this](const Planning& answer) {
        for (ModelChoiceRow* row : std::as_const(m_choices))
            if (row->path() == answer.path)
                row->setPlan(answer.plan);
    });
    connect(&client, &EngineClient::loadChanged, this, [this](const LoadState& state) {
        for (ModelChoiceRow* row : std::as_const(m_choices))
            row->setLoadState(state);
    });
    connect(&theme, &Theme::changed, this, [this, column] {
        column->setMaximumWidth(m_theme.px(kMaxColumn));
        m_machineIcon->setPixmap(
            m_theme.pixmap(QStringLiteral("cpu"), m_theme.px(Measure::kIconRail), Color::text2, devicePixelRatioF()));
    });
}

void FirstState::buildMachine(QVBoxLayout& layout) {
    layout.addWidget(makeLabel(tr("This machine"), "label"));
    layout.addSpacing(10);
    auto* row = new QHBoxLayout;
    row->setSpacing(12);
    m_machineIcon = new QLabel;
    m_machineIcon->setPixmap(
        m_theme.pixmap(QStringLiteral("cpu"), m_theme.px(Measure::kIconRail), Color::text2, devicePixelRatioF()));
    auto* text = new QVBoxLayout;
    text->setSpacing(2);
    m_machine = makeLabel(tr("Looking for devices"), "");
    m_reason = makeLabel({}, "small");
    m_machine->setWordWrap(true);
    m_machine->setAccessibleName(tr("This machine"));
    m_reason->setWordWrap(true);
    makeSelectable(*m_reason);
    m_reason->hide();
    text->addWidget(m_machine);
    text->addWidget(m_reason);
    auto* again = new Button(m_theme, tr("Check again"), Button::Kind::regular, QStringLiteral("regenerate"));
    again->setProperty("size", QStringLiteral("toolbar"));
    row->addWidget(m_machineIcon);
    row->addLayout(text, 1);
    row->addWidget(again);
    layout.addLayout(row);
    layout.addSpacing(10);
    layout.addWidget(new Hairline(m_theme));
    connect(again, &Button::clicked, &m_client, &EngineClient::probeDevices);
}

void FirstState::buildModels(QVBoxLayout& layout) {
    auto* head = new QHBoxLayout;
    head->setSpacing(16);
    auto* open = new Button(m_theme, tr("Open file…"), Button::Kind::link);
    auto* all = new Button(m_theme, tr("All models…"), Button::Kind::link);
    head->addWidget(makeLabel(tr("Model"), "label"));
    head->addStretch();
    head->addWidget(open);
    head->addWidget(all);
    layout.addLayout(head);
    m_noModel = new QWidget;
    auto* none = new QVBoxLayout(m_noModel);
    none->setContentsMargins(0, 0, 0, 0);
    none->setSpacing(12);
    QLabel* words =
        makeLabel(tr("No model was found on this computer. A small one, 100 MB to 2 GB, is enough to begin."), "hint");
    words->setWordWrap(true);
    none->addWidget(words);
    auto* get = new Button(m_theme, tr("Get a model"), Button::Kind::primary, QStringLiteral("download"));
    connect(get, &Button::clicked, this, &FirstState::downloadRequested);
    none->addWidget(get, 0, Qt::AlignLeft);
    m_noModel->hide();
    layout.addWidget(m_noModel);
    m_rows = new QVBoxLayout;
    m_rows->setSpacing(0);
    layout.addLayout(m_rows);
    connect(open, &Button::clicked, this, &FirstState::openFileRequested);
    connect(all, &Button::clicked, this, &FirstState::modelsRequested);
}

void FirstState::buildPrompts(QVBoxLayout& outer) {
    m_prompts = new QWidget;
    auto* column = new QVBoxLayout(m_prompts);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    QVBoxLayout& layout = *column;
    outer.addWidget(m_prompts);
    layout.addWidget(makeLabel(tr("Try"), "label"));
    layout.addSpacing(8);
    auto* row = new QHBoxLayout;
    row->setSpacing(12);
    const std::array<std::pair<QString, QString>, 3> prompts = {{
        {QStringLiteral("chat"), tr("Explain how a heat pump works, in five sentences")},
        {QStringLiteral("edit"), tr("Rewrite a blunt reply so that it sounds friendly")},
        {QStringLiteral("engine"), tr("Write a shell one-liner that finds the ten largest files")},
    }};
    for (const auto& [icon, text] : prompts) {
        auto* card = new PromptCard(m_theme, icon, text);
        connect(card, &QAbstractButton::clicked, this, [this, text = text] { emit promptChosen(text); });
        row->addWidget(card, 1);
    }
    layout.addLayout(row);
}

void FirstState::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    m_client.probeDevices();
    listModels();
}

void FirstState::listModels() {
    QStringList singles = m_settings.value(keys::kRecentModels);
    if (const auto model = m_client.labModel())
        singles.prepend(toQString(model->info.path)); // by this name it is marked as loaded
    m_folders.search({m_dataDir + QStringLiteral("/models")}, singles, otherAppsPlaces(m_settings));
}

void FirstState::takeFolders(const std::vector<ModelFolder>& folders) {
    QList<FoundModel> files;
    for (const ModelFolder& folder : folders)
        for (const ModelFolder::File& file : folder.files)
            if (file.exists)
                files.append({file.path, folder.owner, file.name});
    const QStringList recent = m_settings.value(keys::kRecentModels);
    const auto rank = [&recent](const FoundModel& file) {
        const qsizetype place = recent.indexOf(file.path);
        return place < 0 ? recent.size() : place;
    };
    std::stable_sort(
        files.begin(), files.end(), [&](const FoundModel& a, const FoundModel& b) { return rank(a) < rank(b); });
    takeFiles(std::move(files));
}

void FirstState::takeFiles(QList<FoundModel> files) {
    m_files = files;
    std::stable_partition(
        files.begin(), files.end(), [this](const FoundModel& file) { return !m_unreadable.contains(file.path); });
    if (const auto model = m_client.labModel()) {
        const QString loaded = toQString(model->info.path);
        const auto place =
            std::find_if(files.begin(), files.end(), [&loaded](const FoundModel& file) { return file.path == loaded; });
        const FoundModel first = place == files.end() ? FoundModel{loaded, {}, {}} : *place;
        if (place != files.end())
            files.erase(place);
        files.prepend(first);
    }
    files.resize(std::min<qsizetype>(files.size(), kMaxChoices));
    QStringList shown, paths;
    for (const ModelChoiceRow* row : std::as_const(m_choices))
        shown.append(row->path());
    for (const FoundModel& file : std::as_const(files))
        paths.append(file.path);
    m_noModel->setVisible(paths.isEmpty());
    m_prompts->setVisible(!paths.isEmpty() || m_client.model() != nullptr); // who could answer them?
    if (shown == paths)
        return refreshLoaded();
    for (ModelChoiceRow* row : std::as_const(m_choices))
        row->deleteLater();
    m_choices.clear();
    for (const FoundModel& file : std::as_const(files)) {
        const QString& path = file.path;
        auto* row = new ModelChoiceRow(m_theme, path);
        row->setOwner(file.owner, file.name);
        connect(row, &QAbstractButton::clicked, this, [this, row] {
            refreshLoaded(); // the mark follows the engine, not the click
            if (const auto model = m_client.model(); !model || toQString(model->info.path) != row->path())
                emit loadRequested(row->path());
        });
        m_rows->addWidget(row);
        m_choices.append(row);
        m_client.inspect(path);
        m_client.plan(path, engineConfigFromJson(m_settings.loadOptions(path)));
    }
    refreshLoaded();
}

void FirstState::refreshTitle() {
    const auto answering = m_client.model();
    m_title->setText(answering && answering != m_client.labModel()
            ? tr("Ask something. It goes to %1.").arg(toQString(answering->device.name)) // a server's
            : tr("Ask something. It stays on this machine."));
}

void FirstState::refreshLoaded() {
    const auto model = m_client.labModel(); // a file of this computer, whoever answers
    refreshTitle();
    QStringList shown;
    for (ModelChoiceRow* row : std::as_const(m_choices))
        shown.append(row->path());
    if (model && !shown.contains(toQString(model->info.path)))
        return listModels(); // loaded from elsewhere, for example by name on the command line
    for (ModelChoiceRow* row : std::as_const(m_choices))
        row->setChecked(model && model == m_client.model() && toQString(model->info.path) == row->path());
}

void FirstState::showDevices(const QList<DeviceChoice>& devices) {
    const DeviceChoice* best = nullptr;
    QString reason;
    for (const DeviceChoice& device : devices) {
        const bool isGpu = device.info.id != "cpu";
        if (device.unusableReason.isEmpty() && (best == nullptr || isGpu))
            best = &device;
        if (isGpu && !device.unusableReason.isEmpty())
            reason = tr("No GPU is used. %1.").arg(device.unusableReason) + u' ' + device.nextStep;
    }
    if (best == nullptr) {
        m_machine->setText(tr("No usable device was found."));
        return;
    }
    QStringList parts{toQString(best->info.name)};
    if (!best->info.isa.empty())
        parts.append(toQString(best->info.isa));
    if (best->info.num_threads > 0)
        parts.append(
            best->info.num_threads == 1 ? tr("1 thread") : tr("%1 threads").arg(countText(best->info.num_threads)));
    m_machine->setText(
        tr("%1 · %2 of %3 free")
            .arg(parts.join(QStringLiteral(", ")), bytesText(static_cast<double>(best->info.memory_free_bytes)),
                bytesText(static_cast<double>(best->info.memory_total_bytes))));
    m_reason->setText(reason.trimmed());
    m_reason->setVisible(!reason.isEmpty());
}

} // namespace vitrine::ui
