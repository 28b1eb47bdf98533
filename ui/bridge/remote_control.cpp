// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/bridge: addresses of servers.
#include "ui/bridge/remote_control.h"

#include "ui/bridge/qt_convert.h"

namespace vitrine::ui {

Result<QUrl> serverUrl(const QString& typed) {
    const QString text = typed.trimmed();
    const auto refuse = [&](const QString& why) {
        return fail(ErrorCode::invalid_argument, toStdString(why),
            toStdString(RemoteControl::tr("Type an address such as http://gpu7:8000.")));
    };
    if (text.isEmpty())
        return refuse(RemoteControl::tr("The server has no address."));
    QUrl url(text.contains(QLatin1String("://")) ? text : QStringLiteral("http://") + text, QUrl::StrictMode);
    if (!url.isValid() || url.host().isEmpty())
        return refuse(RemoteControl::tr("\"%1\" is no address of a server.").arg(text));
    if (url.scheme() != QLatin1String("http") && url.scheme() != QLatin1String("https"))
        return refuse(
            RemoteControl::tr("\"%1\" begins with %2; a server is reached by http or https.").arg(text, url.scheme()));
    if (!url.userInfo().isEmpty())
        return refuse(
            RemoteControl::tr("The address of %1 holds a password; keys have a field of their own.").arg(url.host()));
    QString path = url.path();
    while (path.endsWith(u'/'))
        path.chop(1);
    if (path.endsWith(QLatin1String("/v1")))
        path.chop(3);
    while (path.endsWith(u'/'))
        path.chop(1);
    url.setPath(path);
    url.setQuery(QString());
    url.setFragment(QString());
    return url;
}

} // namespace vitrine::ui
