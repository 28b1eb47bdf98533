// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: links in answers, after a question.
#include "ui/chat/links.h"

#include <QCoreApplication>
#include <QDesktopServices>
#include <QUrl>

#include "ui/widgets/dialogs.h"

namespace vitrine::ui {

namespace {

class Links {
    Q_DECLARE_TR_FUNCTIONS(Links)
};

} // namespace

void openLink(Dialogs& dialogs, QWidget* parent, const QString& link) {
    const QUrl url(link);
    if (!url.isValid() || url.host().isEmpty() ||
        (url.scheme() != QLatin1String("http") && url.scheme() != QLatin1String("https")))
        return dialogs.message(parent, Links::tr("This link is not opened."),
            Links::tr("%1 is no web address; only http and https lead out of an answer.").arg(link));
    // Encoded: a name in letters that look like others shows its true form.
    const QString shown = QString::fromLatin1(url.toEncoded());
    dialogs.confirm(parent, {Links::tr("Open this page in the browser?"), shown, Links::tr("Open")}, [url](bool yes) {
        if (yes)
            QDesktopServices::openUrl(url);
    });
}

} // namespace vitrine::ui
