// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: presets of a chat.
#include "ui/chat/preset_bar.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QMenu>

#include "ui/store/settings.h"
#include "ui/theme/theme.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/icon_button.h"
#include "ui/widgets/menu_text.h"

namespace vitrine::ui {

namespace {

const QString kName = QStringLiteral("chat.presets");
const QString kPromptField = QStringLiteral("system_prompt"), kSamplingField = QStringLiteral("sampling");

} // namespace

PresetBar::PresetBar(const Theme& theme, Settings& settings, Dialogs& dialogs, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_settings(settings), m_dialogs(dialogs), m_box(new QComboBox) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(Measure::kSpace1);
    m_box->setAccessibleName(tr("Preset of this chat"));
    m_box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    auto* more = new IconButton(theme, QStringLiteral("more"), tr("Save or delete presets"));
    m_more = more;
    row->addWidget(m_box, 1);
    row->addWidget(more);
    connect(more, &IconButton::clicked, this, &PresetBar::showMenu);
    connect(m_box, &QComboBox::activated, this, [this](int index) {
        const QString name = m_box->itemData(index).toString();
        if (name.isEmpty()) // "No preset" changes nothing
            return refresh();
        const QJsonObject preset = presets().value(name).toObject();
        emit chosen(
            preset.value(kPromptField).toString(), ChatSampling::fromJson(preset.value(kSamplingField).toObject()));
    });
    connect(&settings, &Settings::changed, this, [this](const QString& name) {
        if (name == kName)
            refresh();
    });
    refresh();
}

void PresetBar::setChat(const QString& systemPrompt, const ChatSampling& sampling) {
    if (systemPrompt == m_prompt && sampling == m_sampling)
        return;
    m_prompt = systemPrompt;
    m_sampling = sampling;
    refresh();
}

QJsonObject PresetBar::presets() const {
    return m_settings.raw(kName).toObject();
}

QString PresetBar::current() const {
    const QJsonObject all = presets();
    for (auto it = all.begin(); it != all.end(); ++it) {
        const QJsonObject preset = it.value().toObject();
        if (preset.value(kPromptField).toString() == m_prompt &&
            ChatSampling::fromJson(preset.value(kSamplingField).toObject()) == m_sampling)
            return it.key();
    }
    return {};
}

void PresetBar::refresh() {
    const QString shown = current();
    m_box->clear();
    m_box->addItem(tr("No preset"), QString());
    const QStringList names = presets().keys();
    for (const QString& name : names)
        m_box->addItem(name, name);
    m_box->setCurrentIndex(std::max(0, m_box->findData(shown)));
    m_box->setEnabled(!names.isEmpty());
}

void PresetBar::store(const QJsonObject& presets) {
    m_settings.setRaw(kName, presets);
    refresh();
}

void PresetBar::showMenu() {
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const auto icon = [this](const char* name) { return m_theme.icon(QLatin1String(name), Measure::kIconRow); };
    menu->addAction(icon("plus"), tr("Save as a preset…"), this, &PresetBar::save);
    if (const QString name = current(); !name.isEmpty())
        menu->addAction(icon("trash"), tr("Delete preset %1").arg(menuText(name)), this, [this, name] {
            m_dialogs.confirm(this,
                {tr("Delete the preset %1?").arg(name), tr("Chats that use it keep their prompt and sampling."),
                    tr("Delete"), true},
                [this, name](bool yes) {
                    if (!yes)
                        return;
                    QJsonObject all = presets();
                    all.remove(name);
                    store(all);
                });
        });
    menu->popup(m_more->mapToGlobal(QPoint(0, m_more->height())));
}

void PresetBar::save() {
    m_dialogs.askText(this, tr("Save as a preset"), tr("Name"), current(), [this](bool accepted, const QString& typed) {
        const QString name = typed.trimmed();
        if (!accepted || name.isEmpty())
            return;
        const auto write = [this, name](bool yes) {
            if (!yes)
                return;
            QJsonObject all = presets();
            all.insert(name, QJsonObject{{kPromptField, m_prompt}, {kSamplingField, m_sampling.toJson()}});
            store(all);
        };
        if (!presets().contains(name))
            return write(true);
        m_dialogs.confirm(this,
            {tr("Replace the preset %1?").arg(name), tr("Its system prompt and sampling are overwritten."),
                tr("Replace"), true},
            write);
    });
}

} // namespace vitrine::ui
