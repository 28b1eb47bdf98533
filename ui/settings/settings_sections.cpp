// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/settings: appearance, storage, shortcuts and about.
#include "ui/settings/setting_row.h"
#include "ui/settings/settings_parts.h"
#include "ui/settings/shortcut_row.h"
#include "ui/settings/theme_tile.h"
#include "ui/store/settings.h"
#include "ui/theme/sequence_brush.h"
#include "ui/theme/theme.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/icon_button.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/selectable_text.h"
#include "ui/widgets/shortcut_registry.h"
#include "ui/widgets/tile_layout.h"

#include <QAction>
#include <QButtonGroup>
#include <QCoreApplication>
#include <QDesktopServices>
#include <QDir>
#include <QHBoxLayout>
#include <QPainter>
#include <QSlider>
#include <QUrl>
#include <QVBoxLayout>

#include <array>

namespace vitrine::ui {
namespace {

constexpr std::array kChoiceNames = {"system", "light", "dark", "contrast"}; // index == SchemeChoice
constexpr int kTextStep = 10; // percent

/// The six sequence colours with their patterns, beside the switch that turns the patterns off.
class SequenceSamples final : public QWidget {
public:
    explicit SequenceSamples(const Theme& theme) : m_theme(theme) {
        setFixedSize(kNumSequenceColors * 20, 16);
        connect(&theme, &Theme::changed, this, [this] { update(); });
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        for (int i = 0; i < kNumSequenceColors; ++i)
            paintSequence(painter, m_theme, i, QRect(i * 20, 0, 16, 16));
    }

private:
    const Theme& m_theme;
};

QWidget* beside(QWidget* first, QWidget* second) {
    auto* both = new QWidget;
    auto* row = new QHBoxLayout(both);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(24);
    row->addWidget(first);
    row->addWidget(second);
    return both;
}

} // namespace

int schemeChoiceIndex(const QString& name) {
    for (std::size_t i = 0; i < kChoiceNames.size(); ++i)
        if (name == QLatin1String(kChoiceNames[i]))
            return static_cast<int>(i);
    return 0;
}

QWidget* SettingsPage::buildAppearance() {
    const Theme& theme = m->context.theme;
    Settings& settings = m->context.settings;
    auto* page = new QWidget;
    auto* column = makeSection(page, theme, tr("Appearance"), tr("Every change applies at once."));
    auto* tiles = new TileLayout(4, 16, 16); // fewer in a row where the words under them would be cut
    auto* group = new QButtonGroup(page);
    const QString names[] = {tr("Like the system"), tr("Light"), tr("Dark"), tr("High contrast")};
    for (int i = 0; i < static_cast<int>(kChoiceNames.size()); ++i) {
        auto* tile = new ThemeTile(theme, static_cast<SchemeChoice>(i), names[i]);
        group->addButton(tile, i);
        tiles->addWidget(tile);
    }
    group->button(schemeChoiceIndex(settings.value(keys::kTheme)))->setChecked(true);
    connect(group, &QButtonGroup::idClicked, this, [this](int id) {
        m->context.settings.set(keys::kTheme, QLatin1String(kChoiceNames[static_cast<std::size_t>(id)]));
    });
    connect(&settings, &Settings::changed, group,
        [this, group] { group->button(schemeChoiceIndex(m->context.settings.value(keys::kTheme)))->setChecked(true); });
    column->addLayout(tiles);
    column->addSpacing(16);
    column->addWidget(new Hairline(theme));
    auto* size = new QSlider(Qt::Horizontal);
    size->setRange(keys::kTextSizePercent.minimum / kTextStep, keys::kTextSizePercent.maximum / kTextStep);
    size->setPageStep(1);
    size->setFixedWidth(theme.px(160));
    auto* percent = makeLabel({}, "");
    percent->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    percent->setMinimumWidth(theme.px(52));
    const auto showSize = [this, size, percent] {
        const int value = m->context.settings.value(keys::kTextSizePercent);
        const QSignalBlocker blocker(size);
        size->setValue(value / kTextStep);
        percent->setText(percentText(value / 100.0));
    };
    showSize();
    // Applied when the knob is let go: the slider itself grows with the text.
    size->setTracking(false);
    connect(size, &QSlider::sliderMoved, percent,
        [percent](int value) { percent->setText(percentText(value * kTextStep / 100.0)); });
    connect(size, &QSlider::valueChanged, this,
        [this](int value) { m->context.settings.set(keys::kTextSizePercent, value * kTextStep); });
    connect(&settings, &Settings::changed, size, showSize);
    size->setAccessibleName(tr("Text size"));
    addRow(column, tr("Text size"), tr("Ctrl + and Ctrl −, Ctrl 0 for 100 %"), beside(size, percent));
    addRow(column, tr("Less motion"), tr("Panels and sheets appear without sliding"),
        makeSwitch(settings.value(keys::kReducedMotion),
            [this](bool on) { m->context.settings.set(keys::kReducedMotion, on); }));
    auto* patterns = makeSwitch(settings.raw(QStringLiteral("appearance.sequence_patterns")).toBool(true),
        [this](bool on) { m->context.settings.setRaw(QStringLiteral("appearance.sequence_patterns"), on); });
    patterns->setAccessibleName(tr("Patterns on sequence colours"));
    addRow(column, tr("Patterns on sequence colours"), tr("Hatching beside colour, in the block map and the lanes"),
        beside(new SequenceSamples(theme), patterns));
    column->addStretch();
    return page;
}

QWidget* SettingsPage::buildStorage() {
    const Theme& theme = m->context.theme;
    auto* page = new QWidget;
    auto* column = makeSection(page, theme, tr("Storage"), tr("Chats, settings and models stay on this computer."));
    auto* open = new Button(theme, tr("Open folder"), Button::Kind::regular, QStringLiteral("folder"));
    connect(
        open, &Button::clicked, this, [this] { QDesktopServices::openUrl(QUrl::fromLocalFile(m->context.dataDir)); });
    addRow(column, tr("Data folder"), m->context.dataDir, open);
    addRow(column, tr("Settings file"), m->context.settings.filePath(), nullptr);
    addBackup(column);
    column->addSpacing(24);
    auto* head = new QHBoxLayout;
    head->addWidget(makeLabel(tr("Model folders"), "strong"));
    head->addStretch();
    auto* add = new Button(theme, tr("Add folder"), Button::Kind::regular, QStringLiteral("plus"));
    connect(add, &Button::clicked, this, [this] {
        m->context.dialogs.openFolder(this, tr("Add a folder with models"), [this](const QString& path) {
            QStringList folders = m->context.settings.value(keys::kModelFolders);
            if (path.isEmpty() || folders.contains(path))
                return;
            m->context.settings.set(keys::kModelFolders, folders << path);
            refreshFolders();
        });
    });
    head->addWidget(add);
    column->addLayout(head);
    m->folders = new QVBoxLayout;
    m->folders->setSpacing(0);
    column->addLayout(m->folders);
    column->addSpacing(16);
    addRow(column, tr("Models of other apps"), tr("LM Studio, Ollama and the Hugging Face cache, used in place"),
        makeSwitch(m->context.settings.value(keys::kOtherApps),
            [this](bool on) { m->context.settings.set(keys::kOtherApps, on); }));
    column->addStretch();
    refreshFolders();
    return page;
}

void SettingsPage::refreshFolders() {
    while (QLayoutItem* item = m->folders->takeAt(0)) {
        item->widget()->deleteLater();
        delete item;
    }
    m->folders->addWidget(
        new SettingRow(m->context.theme, QDir(m->context.dataDir).filePath(QStringLiteral("models")), {}, nullptr));
    for (const QString& folder : m->context.settings.value(keys::kModelFolders)) {
        auto* remove = new Button(m->context.theme, tr("Remove"), Button::Kind::link);
        remove->setAccessibleName(tr("Remove %1 from the list").arg(folder));
        connect(remove, &Button::clicked, this, [this, folder] {
            QStringList folders = m->context.settings.value(keys::kModelFolders);
            folders.removeAll(folder);
            m->context.settings.set(keys::kModelFolders, folders);
            refreshFolders();
        });
        const QString hint = QDir(folder).exists() ? QString() : tr("folder offline");
        m->folders->addWidget(new SettingRow(m->context.theme, folder, hint, remove));
    }
}

QWidget* SettingsPage::buildShortcuts() {
    auto* page = new QWidget;
    auto* column = makeSection(page, m->context.theme, tr("Shortcuts"),
        tr("Click a field and press the new keys; Backspace takes them away. No single key destroys anything."));
    for (const ShortcutRegistry::Entry& entry : m->context.shortcuts.entries()) {
        const QString name = entry.action->text();
        addRow(column, name, {}, new ShortcutRow(m->context.theme, m->context.shortcuts, entry.id, name));
    }
    const std::pair<QString, QString> fixed[] = {{tr("Stop the answer, close a sheet"), tr("Esc")},
        {tr("Edit the last message, in an empty composer"), tr("Up")},
        {tr("Jump to the newest text and follow"), tr("End")}, {tr("Pause the plots (Engine page)"), tr("Space")}};
    for (const auto& [action, keys] : fixed)
        addRow(column, action, {}, makeLabel(keys, "label"));
    column->addStretch();
    return page;
}

QWidget* SettingsPage::buildAbout() {
    auto* page = new QWidget;
    const QString version = QCoreApplication::applicationVersion();
    auto* column = makeSection(page, m->context.theme, tr("Vitrine"),
        version.isEmpty() ? tr("Local language models, run fast and shown live.")
                          : tr("Version %1. Local language models, run fast and shown live.").arg(version));
    const auto paragraph = [&](const QString& title, const QString& text) {
        column->addWidget(makeLabel(title, "strong"));
        auto* label = makeLabel(text, "label");
        label->setWordWrap(true);
        makeSelectable(*label);
        column->addWidget(label);
        column->addSpacing(16);
    };
    paragraph(tr("Privacy"),
        tr("No telemetry, no account, and no network request but what you start: a search or download of a model, and "
           "chats with a server that you added. What you write and what a model on this computer answers stay in its "
           "data folder; the server here listens only when you switch it on."));
    paragraph(tr("Licence"),
        tr("GNU General Public License, version 3 or later. This program comes with absolutely no warranty. You may "
           "share and change it under the terms of that licence."));
    paragraph(tr("Built with"),
        tr("Qt (LGPL 3), QCustomPlot (GPL 3 or later), Boost (BSL 1.0), {fmt} and spdlog (MIT), PCRE2 and xxHash "
           "(BSD), "
           "nlohmann/json (MIT), SQLite (public domain), Inter and JetBrains Mono (OFL 1.1)."));
    column->addStretch();
    return page;
}

} // namespace vitrine::ui
