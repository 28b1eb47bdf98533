// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/bridge: sentences of the engine, their values and what the window says instead.
#include "ui/bridge/error_text.h"

#include <QCoreApplication>
#include <QLocale>
#include <QRegularExpression>
#include <vector>

#include "ui/bridge/qt_convert.h"

namespace vitrine::ui {
namespace {

/// `pattern` takes the whole sentence; its groups are %1, %2 ... of `text`.
struct Sentence {
    const char *pattern, *text;
};

constexpr Sentence kMessages[] = {
    {"(.+): cannot be opened: No such file or directory", QT_TRANSLATE_NOOP("ErrorText", "%1 is not there any more.")},
    {"(.+): cannot be opened: Permission denied", QT_TRANSLATE_NOOP("ErrorText", "%1 may not be read by this user.")},
    {"(.+): cannot be opened: (.+)", QT_TRANSLATE_NOOP("ErrorText", "%1 cannot be opened: %2.")},
    {"(.+): found a folder, needed a regular file",
        QT_TRANSLATE_NOOP("ErrorText", "%1 is a folder; a file is needed.")},
    {"(.+): (\\d+) bytes cannot be mapped: (.+)",
        QT_TRANSLATE_NOOP("ErrorText", "%1 cannot be read into memory: %2 bytes (%3).")},
    {"(.+): the file ends inside (.+): found (\\d+) bytes at offset (\\d+), needed (\\d+)",
        QT_TRANSLATE_NOOP(
            "ErrorText", "%1 ends too early, inside %2: at byte %4 there are %3 bytes, and %5 are needed.")},
    {"(.+): tensor (.+): the data section holds (\\d+) bytes, needed (\\d+) at offset (\\d+)",
        QT_TRANSLATE_NOOP(
            "ErrorText", "%1 ends too early: tensor %2 needs %4 bytes from byte %5 on, and the data have %3.")},
    {"(.+): found the magic (0x\\w+), needed (0x\\w+) \\(\"GGUF\"\\)",
        QT_TRANSLATE_NOOP("ErrorText", "%1 is no GGUF file: it begins with %2 instead of %3.")},
    {"(.+): found GGUF version (\\d+), needed 2 or 3",
        QT_TRANSLATE_NOOP("ErrorText", "%1 has GGUF version %2; versions 2 and 3 can be read.")},
    {"architecture \"(.*)\" is not one this build can run",
        QT_TRANSLATE_NOOP("ErrorText", "The model's architecture, \"%1\", is none that this version runs.")},
    {"(\\d+) KV blocks need (.+) \\((\\d+) bytes\\) and (.+) \\((\\d+) bytes\\) are free beside the weights",
        QT_TRANSLATE_NOOP(
            "ErrorText", "%1 KV blocks need %2 (%3 bytes), and %4 (%5 bytes) are free beside the weights.")},
    {"the model and the KV cache of one sequence of (\\d+) tokens need (.+) \\((\\d+) bytes\\) and (.+) \\((\\d+) "
     "bytes, (\\d+) % of what is free\\) may be used",
        QT_TRANSLATE_NOOP("ErrorText",
            "The model and the KV cache of one sequence of %1 tokens need %2 (%3 bytes); %4 (%5 bytes, %6 % of what "
            "is free) may be used.")},
    {"the prompt has (\\d+) tokens and the context (\\d+)",
        QT_TRANSLATE_NOOP("ErrorText", "The prompt has %1 tokens, and the context holds %2.")},
    {"the prompt has (\\d+) tokens, the context is (\\d+) tokens and one is needed for the answer",
        QT_TRANSLATE_NOOP(
            "ErrorText", "The prompt has %1 tokens, the context holds %2, and one is needed for the answer.")},
    {"prompt and answer need (\\d+) KV blocks and the pool has (\\d+)",
        QT_TRANSLATE_NOOP("ErrorText", "Prompt and answer need %1 KV blocks, and the pool has %2.")},
    {"Port (\\d+) on (.+) is in use by another program\\.",
        QT_TRANSLATE_NOOP("ErrorText", "Port %1 on %2 is in use by another program.")},
    {"Cannot listen on (.+) port (\\d+): (.+)\\.", QT_TRANSLATE_NOOP("ErrorText", "Cannot listen on %1 port %2: %3.")},
    {"no model is loaded", QT_TRANSLATE_NOOP("ErrorText", "No model is loaded.")},
    {"another model is being loaded", QT_TRANSLATE_NOOP("ErrorText", "Another model is being loaded.")},
    {"too many requests are being prepared at once",
        QT_TRANSLATE_NOOP("ErrorText", "Too many requests are being prepared at once.")},
    {"the device failed and the model is being loaded again",
        QT_TRANSLATE_NOOP("ErrorText", "The device failed, and the model is being loaded again.")},
    {"no CUDA device is installed", QT_TRANSLATE_NOOP("ErrorText", "No CUDA device is installed.")},
    {"no NVIDIA driver is installed: (.+) is not there",
        QT_TRANSLATE_NOOP("ErrorText", "No NVIDIA driver is installed: %1 is not there.")},
};
constexpr Sentence kRemedies[] = {
    {"Check the path and the permission to read it\\.",
        QT_TRANSLATE_NOOP("ErrorText", "Check the path and the permission to read it.")},
    {"Give the path of the file itself\\.", QT_TRANSLATE_NOOP("ErrorText", "Give the path of the file itself.")},
    {"Copy the file to a local disk, or free address space\\.",
        QT_TRANSLATE_NOOP("ErrorText", "Copy the file to a local disk, or free address space.")},
    {"The file is incomplete or damaged: download it again\\.",
        QT_TRANSLATE_NOOP("ErrorText", "The file is incomplete or damaged: download it again.")},
    {"The file is damaged or was written by a faulty program: download or convert it again\\.",
        QT_TRANSLATE_NOOP(
            "ErrorText", "The file is damaged or was written by a faulty program: download or convert it again.")},
    {"Choose a GGUF file\\.", QT_TRANSLATE_NOOP("ErrorText", "Choose a GGUF file.")},
    {"Choose a shorter context, a smaller KV type \\(int8\\) or a smaller model\\.",
        QT_TRANSLATE_NOOP("ErrorText", "Choose a shorter context, a smaller KV type (int8) or a smaller model.")},
    {"shorten the conversation, or load the model with a longer context",
        QT_TRANSLATE_NOOP("ErrorText", "Shorten the conversation, or load the model with a longer context.")},
    {"Shorten the prompt, or load the model with a longer context\\.",
        QT_TRANSLATE_NOOP("ErrorText", "Shorten the prompt, or load the model with a longer context.")},
    {"lower max_tokens, shorten the prompt, or load the model with more blocks",
        QT_TRANSLATE_NOOP(
            "ErrorText", "Ask for a shorter answer, shorten the prompt, or load the model with more blocks.")},
    {"Choose another port, for example (\\d+)\\.",
        QT_TRANSLATE_NOOP("ErrorText", "Choose another port, for example %1.")},
    {"Choose another address or port\\.", QT_TRANSLATE_NOOP("ErrorText", "Choose another address or port.")},
    {"Load a model first\\.", QT_TRANSLATE_NOOP("ErrorText", "Load a model first.")},
    {"Wait for it, or cancel it\\.", QT_TRANSLATE_NOOP("ErrorText", "Wait for it, or cancel it.")},
    {"try again in a moment", QT_TRANSLATE_NOOP("ErrorText", "Try again in a moment.")},
    {"Send the request again in a moment\\.", QT_TRANSLATE_NOOP("ErrorText", "Send the request again in a moment.")},
    {"Use the CPU\\.", QT_TRANSLATE_NOOP("ErrorText", "Use the CPU.")},
    {"Install the driver, or use the CPU\\.", QT_TRANSLATE_NOOP("ErrorText", "Install the driver, or use the CPU.")},
};

/// "1.25 GiB" as the window writes it; ports and what is no number stay.
QString localised(const QString& value) {
    static const QRegularExpression kDecimal(QStringLiteral("^\\d+\\.\\d+ [KMGT]iB$"));
    return kDecimal.match(value).hasMatch() ? QString(value).replace(u'.', QLocale().decimalPoint()) : value;
}

template <std::size_t N>
std::string find(const Sentence (&table)[N], const std::string& sentence) {
    const QString whole = toQString(sentence);
    for (const Sentence& entry : table) {
        const QString text = QCoreApplication::translate("ErrorText", entry.text);
        if (text == QLatin1String(entry.text))
            continue; // an English window, or no translation
        const QRegularExpression pattern(QRegularExpression::anchoredPattern(QLatin1String(entry.pattern)));
        const QRegularExpressionMatch match = pattern.match(whole);
        if (!match.hasMatch())
            continue;
        QStringList values = match.capturedTexts().mid(1);
        QString result = text;
        for (qsizetype i = values.size(); i > 0; --i) // a value may hold a %1 of its own: all are put in at once
            result.replace(QStringLiteral("%%1").arg(i), QChar(0xE000 + static_cast<char16_t>(i)));
        for (qsizetype i = values.size(); i > 0; --i)
            result.replace(QChar(0xE000 + static_cast<char16_t>(i)), localised(values[i - 1]));
        return toStdString(result);
    }
    return sentence;
}

} // namespace

Error worded(Error error) {
    error.message = find(kMessages, error.message);
    error.remedy = find(kRemedies, error.remedy);
    return error;
}

} // namespace vitrine::ui
