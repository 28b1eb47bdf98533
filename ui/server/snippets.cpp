// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/server: snippets.
#include "ui/server/snippets.h"

#include <QStringList>

namespace vitrine::ui {
namespace {

/// One word to a POSIX shell, whatever is in it.
QString quoted(QString text) {
    return u'\'' + text.replace(u'\'', QLatin1String("'\\''")) + u'\'';
}

QString curlSnippet(const QString& url, const QString& model, const QString& key) {
    QString text = QStringLiteral("curl %1/chat/completions \\\n").arg(url);
    if (!key.isEmpty())
        text += QStringLiteral("  -H 'Authorization: Bearer %1' \\\n").arg(key);
    return text +
        QStringLiteral("  -H 'Content-Type: application/json' \\\n"
                       "  -d '{\"model\": \"%1\",\n"
                       "       \"max_tokens\": 200,\n"
                       "       \"messages\": [{\"role\": \"user\",\n"
                       "                     \"content\": \"Hello\"}]}'")
            .arg(model);
}

QString pythonSnippet(const QString& url, const QString& model, const QString& key) {
    return QStringLiteral("from openai import OpenAI\n\n"
                          "client = OpenAI(\n    base_url=\"%1\",\n    api_key=\"%3\")\n"
                          "stream = client.chat.completions.create(\n"
                          "    model=\"%2\", stream=True, max_tokens=200,\n"
                          "    messages=[{\"role\": \"user\",\n               \"content\": \"Hello\"}])\n"
                          "for part in stream:\n"
                          "    print(part.choices[0].delta.content or \"\",\n          end=\"\")")
        .arg(url, model, key.isEmpty() ? QStringLiteral("none") : key);
}

QString javascriptSnippet(const QString& url, const QString& model, const QString& key) {
    return QStringLiteral("import OpenAI from \"openai\";\n\n"
                          "const client = new OpenAI({\n  baseURL: \"%1\",\n  apiKey: \"%3\" });\n"
                          "const answer = await client.chat.completions.create({\n"
                          "  model: \"%2\", max_tokens: 200,\n"
                          "  messages: [{ role: \"user\", content: \"Hello\" }] });\n"
                          "console.log(answer.choices[0].message.content);")
        .arg(url, model, key.isEmpty() ? QStringLiteral("none") : key);
}

} // namespace

QString makeSnippet(SnippetLanguage language, const QString& baseUrl, const QString& model, const QString& key) {
    switch (language) {
    case SnippetLanguage::curl:
        return curlSnippet(baseUrl, model, key);
    case SnippetLanguage::python:
        return pythonSnippet(baseUrl, model, key);
    case SnippetLanguage::javascript:
        return javascriptSnippet(baseUrl, model, key);
    }
    return {};
}

QString curlOf(const QString& method, const QString& url, const QString& key, const QString& body) {
    QStringList parts{QStringLiteral("curl -X %1 %2").arg(method, quoted(url))};
    if (!key.isEmpty())
        parts += QStringLiteral("-H ") + quoted(QStringLiteral("Authorization: Bearer ") + key);
    if (!body.isEmpty()) // "raw": a body that begins with @ would name a file
        parts += {QStringLiteral("-H 'Content-Type: application/json'"), QStringLiteral("--data-raw ") + quoted(body)};
    return parts.join(QStringLiteral(" \\\n  "));
}

} // namespace vitrine::ui
