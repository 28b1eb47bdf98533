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
#include "ui/widgets/switch.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QListWidget>
#include <QScrollArea>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace vitrine::ui {
namespace {

constexpr int kNavigation = 216;
constexpr int kIdRole = Qt::UserRole;

} // namespace

SettingsPage::SettingsPage(const Context& context, QWidget* parent)
    : QWidget(parent), m(std::make_unique<Parts>(context)) {
    const Theme& theme = context.theme;
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    auto* side = new QWidget;
    side->setAttribute(Qt::WA_StyledBackground);
    side->setProperty("surface", "side");
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(8, 8, 8, 8);
    column->setSpacing(10);
    m->search = new SearchField(theme, tr("Search settings"));
    m->search->setProperty("size", "toolbar");
    connect(m->search, &QLineEdit::textChanged, this, &SettingsPage::search);
    column->addWidget(m->search);
    m->navigation = new QListWidget;
    m->navigation->setProperty("nav", true);
    m->navigation->setAccessibleName(tr("Sections"));
    m->navigation->setFrameShape(QFrame::NoFrame);
    column->addWidget(m->navigation, 1);
    row->addWidget(side);
    row->addWidget(new Hairline(theme, Qt::Vertical));
    m->stack = new QStackedWidget;
    row->addWidget(m->stack, 1);
    connect(m->navigation, &QListWidget::currentRowChanged, m->stack, &QStackedWidget::setCurrentIndex);
    const auto resize = [this, side] { side->setFixedWidth(m->context.theme.px(kNavigation)); };
    resize();
    connect(&theme, &Theme::changed, this, resize);
    addSection(QStringLiteral("appearance"), tr("Appearance"), buildAppearance());
    addSection(QStringLiteral("engine"), tr("Engine"), buildEngine());
    addSection(QStringLiteral("storage"), tr("Storage"), buildStorage());
    addSection(QStringLiteral("shortcuts"), tr("Shortcuts"), buildShortcuts());
    addSection(QStringLiteral("about"), tr("About"), buildAbout());
    m->navigation->setCurrentRow(0);
}

SettingsPage::~SettingsPage() = default;

void SettingsPage::addSection(const QString& id, const QString& name, QWidget* page) {
    auto* item = new QListWidgetItem(name, m->navigation);
    item->setData(kIdRole, id);
    auto* scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(page);
    m->stack->addWidget(scroll);
}

void SettingsPage::showSection(const QString& name) {
    for (int i = 0; i < m->navigation->count(); ++i)
        if (m->navigation->item(i)->data(kIdRole).toString() == name)
            m->navigation->setCurrentRow(i);
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

QWidget* SettingsPage::buildEngine() {
    Settings& settings = m->context.settings;
    auto* page = new QWidget;
    auto* column = makeSection(page, m->context.theme, tr("Engine"),
        tr("Used by the next load; each model remembers its own context, KV type and quantization."));
    auto* device = new QComboBox;
    device->setMinimumWidth(m->context.theme.px(240));
    device->addItem(tr("Best available"), QStringLiteral("auto"));
    device->addItem(tr("CPU"), QStringLiteral("cpu"));
    const QString chosen = settings.value(keys::kDevice);
    device->setCurrentIndex(std::max(0, device->findData(chosen)));
    connect(device, &QComboBox::activated, this,
        [this, device](int index) { m->context.settings.set(keys::kDevice, device->itemData(index).toString()); });
    addRow(column, tr("Device"), tr("Where models run"), device);
    auto* found = makeLabel(tr("Looking for devices…"), "small");
    found->setWordWrap(true);
    found->setTextInteractionFlags(Qt::TextSelectableByMouse);
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
    addRow(column, tr("Load the last model at start"), tr("The window opens at once, the model follows"),
        makeSwitch(settings.value(keys::kLoadLastModel),
            [this](bool on) { m->context.settings.set(keys::kLoadLastModel, on); }));
    column->addSpacing(16);
    column->addWidget(makeLabel(tr("This machine"), "strong"));
    column->addSpacing(4);
    column->addWidget(found);
    column->addStretch();
    return page;
}

void SettingsPage::search(const QString& text) {
    const QString wanted = text.trimmed();
    for (int i = 0; i < m->stack->count(); ++i) {
        bool any = wanted.isEmpty() || m->navigation->item(i)->text().contains(wanted, Qt::CaseInsensitive);
        const bool whole = any;
        for (SettingRow* row : m->stack->widget(i)->findChildren<SettingRow*>()) {
            const bool hit = row->matches(wanted);
            row->setVisible(whole || hit);
            any = any || hit;
        }
        m->navigation->item(i)->setHidden(!any);
    }
    if (m->navigation->currentItem() != nullptr && !m->navigation->currentItem()->isHidden())
        return;
    for (int i = 0; i < m->navigation->count(); ++i)
        if (!m->navigation->item(i)->isHidden())
            return m->navigation->setCurrentRow(i);
}

void SettingsPage::showEvent(QShowEvent*) {
    m->navigation->doItemsLayout(); // the first layout ran before the style sheet gave the rows their height
    m->context.client.probeDevices();
    refreshFolders();
}

} // namespace vitrine::ui
