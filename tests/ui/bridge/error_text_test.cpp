// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/ui/bridge: what the engine says of files, memory and requests comes in the window's language.
#include "ui/bridge/error_text.h"

#include <QCoreApplication>
#include <QFile>
#include <QLocale>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTranslator>
#include <gtest/gtest.h>

#include "engine/api/sentence.h"
#include "engine/gguf/file.h"
#include "engine/kv/kv_budget.h"
#include "engine/safetensors/hf_config.h"
#include "engine/safetensors/safetensors_file.h"
#include "engine/sample/sampler_state.h"
#include "engine/sched/scheduler_config.h"
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
        "<DIR/m.gguf ends too early: at byte 8 there are 2 bytes, and 8 are needed.>|"
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
        "<The model and the KV cache of one sequence of 1.024 tokens need 832 MiB (872.415.232 bytes); 512 MiB "
        "(536.870.912 bytes, 50 % of what is free) may be used.>|"
        "<Choose a shorter context, a smaller KV type (int8) or a smaller model.>");
    question.num_blocks = 2000;
    EXPECT_TRUE(
        textOf(engine::kv_budget(question).error()).startsWith(QStringLiteral("<2.000 KV blocks need 1,95 GiB")))
        << qPrintable(textOf(engine::kv_budget(question).error()));
}

TEST_F(ErrorText, WordsByNumberAndNotByText) {
    const auto message = [](const Error& error) { return toQString(worded(error).message); };
    Error changed = make_error(ErrorCode::context_length, say(Sentence::prompt_over_context, 9000, 8192));
    changed.message = "a sentence that somebody changed since";
    EXPECT_EQ(message(changed), "<The prompt has 9.000 tokens, and the context holds 8.192.>");
    const Error byHand{ErrorCode::context_length, "the prompt has 9000 tokens and the context 8192", ""};
    EXPECT_EQ(message(byHand), "the prompt has 9000 tokens and the context 8192") << "no sentence is read";
    EXPECT_EQ(message(make_error(ErrorCode::busy, say(Sentence::port_in_use, "8080", "127.0.0.1"))),
        "<Port 8080 on 127.0.0.1 is in use by another program.>");
    EXPECT_EQ(message(make_error(ErrorCode::io, say(Sentence::file_not_opened, "/a %1 b.gguf", "%2 Zed"))),
        "</a %1 b.gguf cannot be opened: %2 Zed.>")
        << "a value is no place for another";
}

TEST_F(ErrorText, WordsACauseInsideItsSentence) {
    const Error cause = make_error(ErrorCode::device, say(Sentence::no_gpu), say(Sentence::use_cpu));
    EXPECT_EQ(textOf(wrapped(cause, say(Sentence::device_unusable, "cuda:1", cause_of(cause)))),
        "<Device cuda:1 cannot be used: <No CUDA device is installed.>.>|<Use the CPU.>");
    const Error foreign{ErrorCode::device, "the driver hung", "Restart."};
    EXPECT_EQ(textOf(wrapped(foreign, say(Sentence::device_unusable, "cuda:1", cause_of(foreign)))),
        "<Device cuda:1 cannot be used: the driver hung.>|Restart.");
}

TEST_F(ErrorText, GivesACauseWithoutItsFullStop) {
    QCoreApplication::removeTranslator(&m_translator);
    const Error missing = make_error(ErrorCode::device, say(Sentence::driver_missing));
    EXPECT_EQ(asCause(missing), "No NVIDIA driver is installed");
    EXPECT_EQ(asCause(Error{ErrorCode::device, "Said by hand.", {}, {}, {}}), "Said by hand");
    EXPECT_EQ(english(say(Sentence::gpu_failed_again, cause_of(missing), 60)),
        "the GPU failed (No NVIDIA driver is installed) and had failed less than 60 s before");
    EXPECT_EQ(toQString(worded(wrapped(missing, say(Sentence::gpu_runs_not, cause_of(missing)))).message),
        "The GPU does not run this model: No NVIDIA driver is installed.");
}

TEST_F(ErrorText, WordsSettings) {
    engine::SamplingParams params;
    params.temperature = 2.5F;
    EXPECT_EQ(textOf(engine::check_sampling(params, 10).error()),
        "<The setting \"temperature\" is 2.5; 0 to 2 is possible.>|<Choose a value inside the range.>");
    params.temperature = 1;
    params.repetition_penalty = 0;
    EXPECT_EQ(textOf(engine::check_sampling(params, 10).error()).section(u'|', 0, 0),
        "<The setting \"repetition_penalty\" is 0; at least 0.001 is possible.>");
    engine::SchedulerConfig config;
    config.max_seqs = 2000;
    config.max_batch_tokens = 100;
    config.prefill_chunk = 100;
    config.context = 1024;
    EXPECT_EQ(textOf(engine::check_config(config, 16).error()),
        "<A step takes 100 tokens, and 2.000 sequences with up to 0 drafts each need 2.016.>|"
        "<Take 2.016 tokens per step, or fewer requests at once.>");
}

TEST_F(ErrorText, WordsWhatIsWrongInsideAFile) {
    EXPECT_EQ(textOf(engine::safetensors::read_header("m.safetensors", {}).error()),
        "<m.safetensors is damaged (<bytes: 0 is there, and 8 is needed.>).>|"
        "<The file is damaged; download it again.>");
    EXPECT_EQ(textOf(engine::safetensors::read_config("c.json", R"({"model_type":"llama"})").error()),
        "<c.json is damaged (<num_attention_heads, num_key_value_heads, hidden_size is missing or no size.>).>|"
        "<Fetch the model again.>");
    const QString unknown = textOf(engine::safetensors::read_config("c.json", R"({"model_type":"lama"})").error());
    EXPECT_TRUE(unknown.startsWith(QStringLiteral("<c.json: the model type \"lama\" is none that this version reads")));
    EXPECT_TRUE(unknown.contains(QStringLiteral("|<Choose a GGUF file of the model. <The nearest is \"llama\"")))
        << qPrintable(unknown);
}

/// A new sentence without a line, or a line that asks for a value the engine does not give, fails here.
TEST_F(ErrorText, HasALineForEverySentence) {
    for (int number = 1; number <= static_cast<int>(kLastSentence); ++number) {
        const auto sentence = static_cast<Sentence>(number);
        Phrase phrase = say(sentence);
        for (int place = 0;
             english_of(sentence).find(std::string{'{', static_cast<char>('0' + place), '}'}) != std::string_view::npos;
             ++place)
            phrase.values.emplace_back("V" + std::to_string(place));
        const std::string english = vitrine::english(phrase);
        EXPECT_FALSE(english.empty()) << number;
        EXPECT_EQ(english.find('{'), std::string::npos) << english;
        const QString window = toQString(worded(make_error(ErrorCode::internal, phrase)).message);
        EXPECT_TRUE(window.startsWith(u'<') && window.endsWith(u'>')) << qPrintable(window);
        EXPECT_FALSE(window.contains(QRegularExpression(QStringLiteral("%\\d")))) << qPrintable(window);
        EXPECT_TRUE(window.endsWith(QStringLiteral(".>"))) << "a whole sentence: " << qPrintable(window);
    }
}

/// It read "the prompt has 521 tokens, ... for the answer Shorten the prompt": the engine's parts of sentences in a row.
TEST(ErrorTextInEnglish, IsAWholeSentence) {
    const Error error = make_error(
        ErrorCode::context_length, say(Sentence::prompt_fills_context, 521, 64), say(Sentence::shorten_prompt));
    EXPECT_EQ(
        worded(error).message, "The prompt has 521 tokens, the context holds 64, and one is needed for the answer.");
    EXPECT_EQ(worded(error).remedy, "Shorten the prompt, or load the model with a longer context.");
    const Error own{ErrorCode::internal, "said by hand", "do this"};
    EXPECT_EQ(worded(own).message, own.message);
}

} // namespace
} // namespace vitrine::ui
