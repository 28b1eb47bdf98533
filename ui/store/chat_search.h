// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/store: search in titles and contents.
#pragma once

#include <QSqlDatabase>

#include "ui/store/chat_records.h"

namespace vitrine::ui {

inline constexpr int kMaxSearchHits = 200;
inline constexpr QChar kHitBegin{0x0002}; // before and after a hit in a snippet
inline constexpr QChar kHitEnd{0x0003};

/// Words of `query` must all occur, each as the beginning of a word; text in scripts without spaces is found anywhere.
/// Titles first, then contents by rank.  Thread: store.
[[nodiscard]] QList<SearchHit> searchChats(QSqlDatabase& database, const QString& query);

/// The query as FTS5 understands it: every word quoted and a prefix; empty if there is no word.
[[nodiscard]] QString ftsQuery(const QString& query);

} // namespace vitrine::ui
