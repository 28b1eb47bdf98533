// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/server: origins as chips.
#include "ui/server/origin_list.h"

#include "ui/widgets/chip.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/flow_layout.h"
#include "ui/widgets/icon_button.h"
#include "ui/widgets/labels.h"

#include <QUrl>

namespace vitrine::ui {
namespace {

constexpr int kFixedItems = 2; // "none" and the button that adds one

} // namespace

QString normalisedOrigin(const QString& text) {
    const QUrl url(text.trimmed(), QUrl::StrictMode);
    const QString scheme = url.scheme().toLower();
    const bool isWeb = scheme == QLatin1String("http") || scheme == QLatin1String("https");
    const bool hasMore = !url.userInfo().isEmpty() || url.hasQuery() || url.hasFragment() ||
        !(url.path().isEmpty() || url.path() == QLatin1String("/"));
    if (!url.isValid() || !isWeb || url.host().isEmpty() || hasMore)
        return {};
    const int usual = scheme == QLatin1String("https") ? 443 : 80; // browsers leave it out
    const QString port = url.port() > 0 && url.port() != usual ? QStringLiteral(":%1").arg(url.port()) : QString();
    return scheme + QStringLiteral("://") + url.host(QUrl::FullyEncoded).toLower() + port;
}

OriginList::OriginList(const Theme& theme, Dialogs& dialogs, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_dialogs(dialogs), m_row(new FlowLayout(Measure::kSpace2, this)),
      m_none(makeLabel(tr("no origin allowed"), "hint")) {
    m_row->addWidget(m_none);
    auto* more = new Button(theme, tr("Add origin"), Button::Kind::link);
    more->setObjectName(QStringLiteral("addOrigin"));
    connect(more, &Button::clicked, this, &OriginList::ask);
    m_row->addWidget(more);
}

void OriginList::setOrigins(const QStringList& origins) {
    if (origins == m_origins)
        return;
    m_origins = origins;
    rebuild();
}

void OriginList::ask() {
    m_dialogs.askText(this, tr("Allow a web page"), tr("Its origin: scheme, host and port, as http://localhost:3000"),
        {}, [this](bool accepted, const QString& text) {
            if (accepted)
                add(text);
        });
}

void OriginList::add(const QString& text) {
    const QString origin = normalisedOrigin(text);
    if (origin.isEmpty())
        return m_dialogs.message(this, tr("“%1” is no origin").arg(text.trimmed()),
            tr("An origin is a scheme, a host and perhaps a port, without a path: https://notes.example or "
               "http://localhost:3000. Every page of that origin could then use the model."));
    if (m_origins.contains(origin))
        return;
    m_origins += origin;
    rebuild();
    emit edited(m_origins);
}

void OriginList::rebuild() {
    while (m_row->count() > kFixedItems) {
        QLayoutItem* item = m_row->takeAt(kFixedItems);
        item->widget()->deleteLater(); // it may be the sender
        delete item;
    }
    for (const QString& origin : std::as_const(m_origins)) {
        auto* chip = new Chip(m_theme, origin);
        chip->setClosable(true);
        chip->setAccessibleName(tr("Allowed origin %1, Delete removes it").arg(origin));
        connect(chip, &Chip::closed, this, [this, origin] {
            m_origins.removeAll(origin);
            rebuild();
            emit edited(m_origins);
        });
        m_row->addWidget(chip);
    }
    m_none->setVisible(m_origins.isEmpty());
}

} // namespace vitrine::ui
