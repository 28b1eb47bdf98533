// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine app/gui: the command line of the window.
#include "app/gui/options.h"

#include <QCommandLineParser>
#include <QFileInfo>

namespace vitrine::app {

namespace {

const QStringList kPages = {QStringLiteral("chat"), QStringLiteral("models"), QStringLiteral("engine"),
    QStringLiteral("server"), QStringLiteral("lab"), QStringLiteral("settings")};
const QStringList kStyles = {
    QStringLiteral("light"), QStringLiteral("dark"), QStringLiteral("contrast"), QStringLiteral("system")};

CommandLine usageError(const QString& message) {
    return {std::nullopt, QStringLiteral("vitrine: %1\nTry vitrine --help.\n").arg(message), 2};
}

} // namespace

CommandLine parseCommandLine(const QStringList& arguments) {
    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral("Local language models, run fast and shown live."));
    const QCommandLineOption help({QStringLiteral("h"), QStringLiteral("help")},
        QStringLiteral("show this help")); // Qt's own offers options of Qt, which are not taken
    const QCommandLineOption version = parser.addVersionOption();
    parser.addPositionalArgument(
        QStringLiteral("MODEL"), QStringLiteral("a .gguf file, or \"default\""), QStringLiteral("[MODEL]"));
    const QCommandLineOption device(
        QStringLiteral("device"), QStringLiteral("auto, cpu, cuda or cuda:N"), QStringLiteral("DEVICE"));
    const QCommandLineOption page(QStringLiteral("page"),
        QStringLiteral("page to show: ") + kPages.join(QStringLiteral(", ")), QStringLiteral("PAGE"));
    const QCommandLineOption serve(
        QStringLiteral("serve"), QStringLiteral("start the endpoint on this port"), QStringLiteral("PORT"));
    const QCommandLineOption headless(QStringLiteral("headless"), QStringLiteral("the endpoint alone, no window"));
    const QCommandLineOption screenshot(
        QStringLiteral("screenshot"), QStringLiteral("save the window and quit"), QStringLiteral("FILE.png"));
    const QCommandLineOption after(QStringLiteral("after"), QStringLiteral("wait before the screenshot"),
        QStringLiteral("MS"), QStringLiteral("1000"));
    const QCommandLineOption dataDir(
        QStringLiteral("data-dir"), QStringLiteral("folder of chats, settings and models"), QStringLiteral("DIR"));
    const QCommandLineOption style(
        QStringLiteral("style"), kStyles.join(QStringLiteral(", ")), QStringLiteral("STYLE"));
    const QCommandLineOption demo(QStringLiteral("demo"), QStringLiteral("keep four prompts running in parallel"));
    parser.addOptions({help, device, page, serve, headless, screenshot, after, dataDir, style, demo});
    if (!parser.parse(arguments))
        return usageError(parser.errorText());
    if (parser.isSet(help))
        return {
            std::nullopt, parser.helpText().replace(QStringLiteral("<executable_name>"), QStringLiteral("vitrine")), 0};
    if (parser.isSet(version))
        return {std::nullopt, QStringLiteral("vitrine " VITRINE_VERSION "\n"), 0};
    const QStringList positional = parser.positionalArguments();
    if (positional.size() > 1)
        return usageError(QStringLiteral("one MODEL at most, found %1").arg(positional.size()));
    Options options;
    options.model = positional.value(0);
    if (!options.model.isEmpty() && options.model != QLatin1String("default"))
        options.model = QFileInfo(options.model).absoluteFilePath();
    options.device = parser.value(device);
    options.page = parser.value(page);
    if (!options.page.isEmpty() && !kPages.contains(options.page))
        return usageError(
            QStringLiteral("--page %1: choose one of %2").arg(options.page, kPages.join(QStringLiteral(", "))));
    if (parser.isSet(serve)) {
        bool isNumber = false;
        const uint port = parser.value(serve).toUInt(&isNumber);
        if (!isNumber || port > 65'535)
            return usageError(QStringLiteral("--serve %1: a port is 0 to 65535").arg(parser.value(serve)));
        options.servePort = static_cast<quint16>(port);
    }
    options.headless = parser.isSet(headless);
    options.screenshot = parser.value(screenshot);
    bool isNumber = false;
    options.screenshotAfterMs = parser.value(after).toInt(&isNumber);
    if (!isNumber || options.screenshotAfterMs < 0)
        return usageError(QStringLiteral("--after %1: milliseconds, 0 or more").arg(parser.value(after)));
    options.dataDir = parser.value(dataDir);
    options.style = parser.value(style);
    if (!options.style.isEmpty() && !kStyles.contains(options.style))
        return usageError(
            QStringLiteral("--style %1: choose one of %2").arg(options.style, kStyles.join(QStringLiteral(", "))));
    options.demo = parser.isSet(demo);
    return {options, {}, 0};
}

} // namespace vitrine::app
