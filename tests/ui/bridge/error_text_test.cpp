// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/ui/bridge: what the engine says of files, memory and requests comes in the window's language.
#include "ui/bridge/error_text.h"

#include <QCoreApplication>
#include <QFile>
#include <QLocale>
#include <QTemporaryDir>
#include <QTranslator>
#include <gtest/gtest.h>

#include "engine/gguf/file.h"
#include "engine/kv/kv_budget.h"
#include "ui/bridge/qt_convert.h"

namespace vitrine::ui {
namespace {

/// Marks what is translated and shouts it, so that English cannot be taken for it.
class Shouting final : public QTranslator {
public:
    QString translate(const char* context, const char* source, const char*, int) const override {
        return qstrcmp(context, "ErrorText") == 0 ? u'<' + QString::fromUtf8(source) + u'>' : QString();
    }
    bool isEmpty() const override { return false; }
};

class ErrorText : public ::testing::Test {
protected:
    ErrorText() {
        QCoreApplication::installTranslator(&m_translator);
        QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
    }
    ~ErrorText() override {
        QLocale::setDefault(QLocale::c());
        QCoreApplication::removeTranslator(&m_translator);
    }
    /// Both sentences of a file the real reader refuses.
    QString refusalOf(const QByteArray& bytes) {
        const QString path = m_dir.filePath(QStringLiteral("m.gguf"));
        QFile file(path);
        EXPECT_TRUE(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.write(bytes);
        file.close();
        return textOf(engine::gguf::File::open(path.toStdString()).error())
            .replace(m_dir.path(), QStringLiteral("DIR"));
    }
    static QString textOf(const Error& error) {
        const Error told = worded(error);
        return toQString(told.message) + u'|' + toQString(told.remedy);
    }
    QTemporaryDir m_dir;
    Shouting m_translator;
};

TEST_F(ErrorText, WordsWhatTheReaderOfFilesSays) {
    const auto missing = engine::gguf::File::open((m_dir.path() + QStringLiteral("/none.gguf")).toStdString());
    ASSERT_FALSE(missing);
    EXPECT_EQ(textOf(missing.error()).replace(m_dir.path(), QStringLiteral("DIR")),
        "<DIR/none.gguf is not there any more.>|<Check the path and the permission to read it.>");
    const auto folder = engine::gguf::File::open(m_dir.path().toStdString());
    ASSERT_FALSE(folder);
    EXPECT_TRUE(textOf(folder.error()).contains(QStringLiteral("is a folder; a file is needed.>|<")));
    EXPECT_EQ(refusalOf("ELF is no model at all"),
        "<DIR/m.gguf is no GGUF file: it begins with 0x20464C45 instead of 0x46554747.>|<Choose a GGUF file.>");
    EXPECT_EQ(refusalOf(QByteArray("GGUF\x07\0\0\0", 8)).section(u'|', 0, 0),
        "<DIR/m.gguf has GGUF version 7; versions 2 and 3 can be read.>");
    EXPECT_EQ(refusalOf(QByteArray("GGUF\3\0\0\0\0\0", 10)),
        "<DIR/m.gguf ends too early, inside the tensor count: at byte 8 there are 2 bytes, and 8 are needed.>|"
        "<The file is incomplete or damaged: download it again.>");
}

TEST_F(ErrorText, WordsWhatDoesNotFit) {
    engine::KvBudgetQuestion question{.free_bytes = std::int64_t{1} << 30,
        .memory_fraction = 0.5,
        .weight_bytes = 805'306'368,
        .scratch_bytes = 0,
        .block_bytes = 1 << 20,
        .blocks_per_sequence = 64,
        .context = 1024,
        .max_seqs = 4,
        .num_blocks = 0};
    EXPECT_EQ(textOf(engine::kv_budget(question).error()),
        "<The model and the KV cache of one sequence of 1024 tokens need 832 MiB (872415232 bytes); 512 MiB "
        "(536870912 bytes, 50 % of what is free) may be used.>|"
        "<Choose a shorter context, a smaller KV type (int8) or a smaller model.>");
    question.num_blocks = 2000;
    EXPECT_TRUE(textOf(engine::kv_budget(question).error()).startsWith(QStringLiteral("<2000 KV blocks need 1,95 GiB")))
        << qPrintable(textOf(engine::kv_budget(question).error()));
}

/// Their sentences are of scheduler, endpoint and engine, word for word.
TEST_F(ErrorText, WordsWhatRequestsAndTheServerRunInto) {
    const auto message = [](const char* text) { return toQString(worded({ErrorCode::busy, text, ""}).message); };
    EXPECT_EQ(message("the prompt has 9000 tokens and the context 8192"),
        "<The prompt has 9000 tokens, and the context holds 8192.>");
    EXPECT_EQ(message("Port 8080 on 127.0.0.1 is in use by another program."),
        "<Port 8080 on 127.0.0.1 is in use by another program.>");
    EXPECT_EQ(message("prompt and answer need 70 KV blocks and the pool has 64"),
        "<Prompt and answer need 70 KV blocks, and the pool has 64.>");
    EXPECT_EQ(message("something that nobody foresaw: 7"), "something that nobody foresaw: 7");
    EXPECT_EQ(message("/a %1 b.gguf: cannot be opened: %2 Zed"), "</a %1 b.gguf cannot be opened: %2 Zed.>")
        << "a value is no place for another";
}

TEST(ErrorTextInEnglish, StaysAsTheEngineSaysIt) {
    const Error error{ErrorCode::not_found, "x: cannot be opened: No such file or directory", "Choose a GGUF file."};
    EXPECT_EQ(worded(error).message, error.message);
    EXPECT_EQ(worded(error).remedy, error.remedy);
}

} // namespace
} // namespace vitrine::ui
