// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/store: search in titles and contents.
#include "ui/store/chat_search.h"

#include <QSqlQuery>
#include <QVariant>
#include <algorithm>

namespace vitrine::ui {

namespace {

constexpr qsizetype kSnippetRadius = 40; // characters either side of a hit

/// The index keeps runs of these as one word, so a prefix search would miss the middle.
bool hasUnspacedScript(const QString& text) {
    return std::any_of(text.begin(), text.end(), [](QChar c) {
        const QChar::Script script = c.script();
        return script == QChar::Script_Han || script == QChar::Script_Hiragana || script == QChar::Script_Katakana ||
            script == QChar::Script_Thai;
    });
}

QString likePattern(QString text) {
    text.replace(QLatin1Char('\\'), QLatin1String("\\\\"));
    text.replace(QLatin1Char('%'), QLatin1String("\\%"));
    text.replace(QLatin1Char('_'), QLatin1String("\\_"));
    return QLatin1Char('%') + text + QLatin1Char('%');
}

QString markHit(const QString& text, const QString& query) {
    const qsizetype at = text.indexOf(query, 0, Qt::CaseInsensitive);
    if (at < 0)
        return text.left(2 * kSnippetRadius);
    const qsizetype begin = std::max<qsizetype>(0, at - kSnippetRadius);
    const qsizetype end = at + query.size();
    return text.mid(begin, at - begin) + kHitBegin + text.mid(at, query.size()) + kHitEnd +
        text.mid(end, kSnippetRadius);
}

void searchTitles(QSqlDatabase& database, const QString& query, QList<SearchHit>& hits) {
    QSqlQuery row(database);
    row.prepare(QStringLiteral("SELECT id, title FROM chat WHERE title LIKE ? ESCAPE '\\' ORDER BY updated_ms DESC"));
    row.addBindValue(likePattern(query));
    row.exec();
    while (row.next() && hits.size() < kMaxSearchHits)
        hits.append({row.value(0).toLongLong(), 0, markHit(row.value(1).toString(), query)});
}

void searchIndex(QSqlDatabase& database, const QString& query, QList<SearchHit>& hits) {
    QSqlQuery row(database);
    row.prepare(QStringLiteral("SELECT message.chat, message.id, snippet(message_index, 0, char(2), char(3), '…', 16) "
                               "FROM message_index JOIN message ON message.id = message_index.rowid "
                               "WHERE message_index MATCH ? ORDER BY rank LIMIT ?"));
    row.addBindValue(query);
    row.addBindValue(kMaxSearchHits - static_cast<int>(hits.size()));
    row.exec();
    while (row.next())
        hits.append({row.value(0).toLongLong(), row.value(1).toLongLong(), row.value(2).toString()});
}

void searchContents(QSqlDatabase& database, const QString& query, QList<SearchHit>& hits) {
    QSqlQuery row(database);
    row.prepare(QStringLiteral(
        "SELECT chat, id, content FROM message WHERE content LIKE ? ESCAPE '\\' ORDER BY id DESC LIMIT ?"));
    row.addBindValue(likePattern(query));
    row.addBindValue(kMaxSearchHits - static_cast<int>(hits.size()));
    row.exec();
    while (row.next())
        hits.append({row.value(0).toLongLong(), row.value(1).toLongLong(), markHit(row.value(2).toString(), query)});
}

} // namespace

QString ftsQuery(const QString& query) {
    QStringList terms;
    for (QString word : query.simplified().split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        if (std::none_of(word.begin(), word.end(), [](QChar c) { return c.isLetterOrNumber(); }))
            continue;
        word.replace(QLatin1Char('"'), QLatin1String("\"\""));
        terms.append(QLatin1Char('"') + word + QLatin1String("\"*"));
    }
    return terms.join(QLatin1Char(' '));
}

QList<SearchHit> searchChats(QSqlDatabase& database, const QString& query) {
    QList<SearchHit> hits;
    const QString trimmed = query.trimmed();
    if (trimmed.isEmpty())
        return hits;
    searchTitles(database, trimmed, hits);
    const QString words = ftsQuery(trimmed);
    if (hasUnspacedScript(trimmed) || words.isEmpty())
        searchContents(database, trimmed, hits);
    else
        searchIndex(database, words, hits);
    return hits;
}

} // namespace vitrine::ui
