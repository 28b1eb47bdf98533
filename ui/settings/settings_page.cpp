// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/settings: the page and its navigation.
#include "ui/settings/settings_page.h"

#include "ui/bridge/engine_client.h"
#include "ui/bridge/qt_convert.h"
#include "ui/settings/setting_row.h"
#include "ui/settings/settings_parts.h"
#include "ui/store/settings.h"
#include "ui/theme/theme.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/section_stack.h"
#include "ui/widgets/selectable_text.h"
#include "ui/widgets/switch.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QPlainTextEdit>
#include <QSpinBox>
#include <QVBoxLayout>

namespace vitrine::ui {
namespace {

constexpr int kNavigation = 216;

} // namespace

SettingsPage::SettingsPage(const Context& context, QWidget* parent)
    : QWidget(parent), m(std::make_unique<Parts>(context)) {
    const Theme& theme = context.theme;
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    m->search = new SearchField(theme, tr("Search settings"));
    m->search->setProperty("size", "toolbar");
    connect(m->search, &QLineEdit::textChanged, this, &SettingsPage::search);
    m->sections = new SectionStack(theme, tr("Sections"), kNavigation, m->search);
    column->addWidget(m->sections);
    addSection(QStringLiteral("general"), tr("General"), buildGeneral());
    addSection(QStringLiteral("appearance"), tr("Appearance"), buildAppearance());
    addSection(QStringLiteral("chat"), tr("Chat"), buildChat());
    addSection(QStringLiteral("engine"), tr("Engine"), buildEngine());
    addSection(QStringLiteral("storage"), tr("Storage"), buildStorage());
    addSection(QStringLiteral("shortcuts"), tr("Shortcuts"), buildShortcuts());
    addSection(QStringLiteral("about"), tr("About"), buildAbout());
    m->sections->setCurrent(0);
}

SettingsPage::~SettingsPage() = default;

void SettingsPage::addSection(const QString& id, const QString& name, QWidget* page) {
    m->ids += id;
    m->sections->addSection(name, page);
}

void SettingsPage::showSection(const QString& name) {
    if (const auto at = m->ids.indexOf(name); at >= 0)
        m->sections->setCurrent(static_cast<int>(at));
}

SettingRow* SettingsPage::addRow(QVBoxLayout* column, const QString& name, const QString& hint, QWidget* control) {
    auto* row = new SettingRow(m->context.theme, name, hint, control);
    column->addWidget(row);
    return row;
}

QWidget* SettingsPage::makeSwitch(bool on, std::function<void(bool)> changed) {
    auto* control = new Switch(m->context.theme);
    control->setChecked(on);
    connect(control, &Switch::toggled, this, std::move(changed));
    return control;
}

QWidget* SettingsPage::buildChat() {
    Settings& settings = m->context.settings;
    auto* page = new QWidget;
    auto* column =
        makeSection(page, m->context.theme, tr("Chat"), tr("For new chats; the inspector changes one chat."));
    auto* prompt = new QPlainTextEdit(settings.value(keys::kSystemPrompt));
    prompt->setAccessibleName(tr("System prompt"));
    prompt->setPlaceholderText(tr("None. For example: Answer briefly, in plain words."));
    prompt->setTabChangesFocus(true);
    prompt->setFixedHeight(m->context.theme.px(96));
    connect(&m->context.theme, &Theme::changed, prompt,
        [this, prompt] { prompt->setFixedHeight(m->context.theme.px(96)); });
    connect(prompt, &QPlainTextEdit::textChanged, this,
        [this, prompt] { m->context.settings.set(keys::kSystemPrompt, prompt->toPlainText()); });
    addRow(column, tr("System prompt"), tr("What every new chat begins with"), nullptr);
    column->addSpacing(8);
    auto* frame = new QWidget;
    frame->setAttribute(Qt::WA_StyledBackground);
    frame->setProperty("surface", "well");
    auto* inner = new QVBoxLayout(frame);
    inner->setContentsMargins(8, 6, 4, 6);
    inner->addWidget(prompt);
    column->addWidget(frame);
    column->addSpacing(8);
    auto* temperature = new QDoubleSpinBox;
    temperature->setRange(keys::kTemperature.minimum, keys::kTemperature.maximum);
    temperature->setSingleStep(0.1);
    temperature->setValue(settings.value(keys::kTemperature));
    connect(temperature, &QDoubleSpinBox::valueChanged, this,
        [this](double value) { m->context.settings.set(keys::kTemperature, value); });
    addRow(column, tr("Temperature"), tr("0 always takes the likeliest token: the same question has the same answer"),
        temperature);
    addRow(column, tr("Enter sends"), tr("Off: Ctrl+Enter sends and Enter breaks the line"),
        makeSwitch(
            settings.value(keys::kEnterSends), [this](bool on) { m->context.settings.set(keys::kEnterSends, on); }));
    column->addStretch();
    return page;
}

QWidget* SettingsPage::makeLanguageBox() {
    auto* box = new QComboBox;
    box->addItem(tr("Like the system"), QString());
    for (const auto& [code, name] : {std::pair{"en", "English"}, {"de", "Deutsch"}, {"zh_CN", "简体中文"}})
        box->addItem(QString::fromUtf8(name), QLatin1String(code));
    box->setCurrentIndex(std::max(0, box->findData(m->context.settings.value(keys::kLanguage))));
    connect(box, &QComboBox::activated, this,
        [this, box](int index) { m->context.settings.set(keys::kLanguage, box->itemData(index).toString()); });
    return box;
}

QWidget* SettingsPage::buildEngine() {
    Settings& settings = m->context.settings;
    auto* page = new QWidget;
    auto* column = makeSection(page, m->context.theme, tr("Engine"),
        tr("Used by the next load; each model remembers its own context, KV type and quantization."));
    auto* device = new QComboBox;
    device->addItem(tr("Best available"), QStringLiteral("auto"));
    device->addItem(tr("CPU"), QStringLiteral("cpu"));
    const QString chosen = settings.value(keys::kDevice);
    device->setCurrentIndex(std::max(0, device->findData(chosen)));
    connect(device, &QComboBox::activated, this,
        [this, device](int index) { m->context.settings.set(keys::kDevice, device->itemData(index).toString()); });
    addRow(column, tr("Device"), tr("Where models run"), device);
    auto* found = makeLabel(tr("Looking for devices…"), "small");
    found->setWordWrap(true);
    makeSelectable(*found);
    connect(&m->context.client, &EngineClient::devicesProbed, this,
        [this, device, found](const QList<DeviceChoice>& devices) {
            QStringList lines;
            for (const DeviceChoice& choice : devices) {
                const QString id = toQString(choice.info.id), name = toQString(choice.info.name);
                if (!choice.unusableReason.isEmpty()) {
                    lines += tr("%1 is not used: %2").arg(name.isEmpty() ? id : name, choice.unusableReason);
                    continue;
                }
                lines += tr("%1: %2, %3, %4 free of %5")
                             .arg(id, name, toQString(choice.info.isa),
                                 bytesText(static_cast<double>(choice.info.memory_free_bytes)),
                                 bytesText(static_cast<double>(choice.info.memory_total_bytes)));
                if (device->findData(id) < 0)
                    device->addItem(name, id);
            }
            device->setCurrentIndex(std::max(0, device->findData(m->context.settings.value(keys::kDevice))));
            found->setText(lines.join(u'\n'));
        });
    auto* idle = new QSpinBox;
    idle->setRange(keys::kIdleUnloadMinutes.minimum, keys::kIdleUnloadMinutes.maximum);
    idle->setSpecialValueText(tr("never"));
    idle->setSuffix(tr(" min"));
    idle->setValue(settings.value(keys::kIdleUnloadMinutes));
    connect(idle, &QSpinBox::valueChanged, this,
        [this](int minutes) { m->context.settings.set(keys::kIdleUnloadMinutes, minutes); });
    addRow(column, tr("Unload when idle"),
        tr("Gives the memory back; the next message loads the model again. Not while the server runs"), idle);
    column->addSpacing(16);
    column->addWidget(makeLabel(tr("This machine"), "strong"));
    column->addSpacing(4);
    column->addWidget(found);
    column->addStretch();
    return page;
}

void SettingsPage::search(const QString& text) {
    const QString wanted = text.trimmed();
    SectionStack& sections = *m->sections;
    int first = -1;
    for (int i = 0; i < sections.count(); ++i) {
        bool any = wanted.isEmpty() || sections.name(i).contains(wanted, Qt::CaseInsensitive);
        const bool whole = any;
        for (SettingRow* row : sections.content(i)->findChildren<SettingRow*>()) {
            const bool hit = row->matches(wanted);
            row->setVisible(whole || hit);
            any = any || hit;
        }
        sections.setSectionHidden(i, !any);
        if (any && first < 0)
            first = i;
    }
    if (first >= 0 && sections.isSectionHidden(sections.current()))
        sections.setCurrent(first);
}

void SettingsPage::showEvent(QShowEvent*) {
    m->context.client.probeDevices();
    refreshFolders();
    refreshTray();
    refreshSizes();
}

} // namespace vitrine::ui
