// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/chat: colours of code, line by line.
#include "ui/chat/code_highlighter.h"

#include <QHash>
#include <QSet>

namespace vitrine::ui {

struct CodeLanguage {
    QSet<QString> keywords;
    QString lineComment; // empty: none
    bool hasBlockComments = false; // between /* and */
    bool hasTripleStrings = false;
    bool hasBackticks = false; // a string over several lines
    bool ignoresCase = false;
    bool singleQuoteIsString = true;
};

namespace {

QSet<QString> words(const char* list) {
    const QStringList items = QString::fromLatin1(list).split(QLatin1Char(' '));
    return {items.begin(), items.end()};
}

CodeLanguage cLike(const char* keywords) {
    CodeLanguage language;
    language.keywords = words(keywords);
    language.lineComment = QStringLiteral("//");
    language.hasBlockComments = true;
    return language;
}

CodeLanguage hashed(const char* keywords) {
    CodeLanguage language;
    language.keywords = words(keywords);
    language.lineComment = QStringLiteral("#");
    return language;
}

constexpr const char* kCpp =
    "alignas auto bool break case catch char class concept const consteval constexpr continue default delete do double "
    "else enum explicit export extern false final float for friend if inline int long mutable namespace new noexcept "
    "nullptr operator override private protected public requires return short signed sizeof static static_cast struct "
    "switch template this throw true try typedef typename union unsigned using virtual void volatile while "
    "co_await co_return co_yield #include #define #if #ifdef #ifndef #else #endif #pragma";
constexpr const char* kJava =
    "abstract boolean break byte case catch char class const continue default do double else enum extends false final "
    "finally float for if implements import instanceof int interface long new null package private protected public "
    "record return short static super switch this throw throws true try var void while string using namespace async "
    "await foreach in is out ref fun val when object";
constexpr const char* kScript =
    "async await break case catch class const continue debugger default delete do else enum export extends false "
    "finally for from function if implements import in instanceof interface let new null of private protected public "
    "readonly return static super switch this throw true try type typeof undefined var void while yield";
constexpr const char* kRust =
    "as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move "
    "mut "
    "pub ref return self Self static struct super trait true type unsafe use where while bool char f32 f64 i8 i16 i32 "
    "i64 isize str u8 u16 u32 u64 usize";
constexpr const char* kGo =
    "break case chan const continue default defer else fallthrough false for func go goto if import interface map nil "
    "package range return select struct switch true type var bool byte error float64 int int64 rune string";
constexpr const char* kPython = "and as assert async await break class continue def del elif else except False finally "
                                "for from global if import in "
                                "is lambda match None nonlocal not or pass raise return True try while with yield self";
constexpr const char* kShell =
    "case do done elif else esac export fi for function if in local return select set shift then until while echo cd "
    "exit read source unset sudo";
constexpr const char* kSql =
    "all alter and as asc between by case cast check column commit copy create cross database default delete desc "
    "distinct drop else end exists false foreign from full group having if in index inner insert into is join key left "
    "like limit not null offset on or order outer over parquet partition primary references right rollback select set "
    "table then to true union unique update using values view when where with compression format";
constexpr const char* kData = "true false null yes no on off";

QHash<QString, CodeLanguage> makeLanguages() {
    QHash<QString, CodeLanguage> all;
    const auto add = [&all](const char* names, const CodeLanguage& language) {
        for (const QString& name : words(names))
            all.insert(name, language);
    };
    add("c c++ cc cpp cuda cxx h hpp objc", cLike(kCpp));
    add("c# cs csharp dart java kotlin kt scala swift", cLike(kJava));
    CodeLanguage script = cLike(kScript);
    script.hasBackticks = true;
    add("javascript js jsx node ts tsx typescript", script);
    CodeLanguage rust = cLike(kRust);
    rust.singleQuoteIsString = false; // lifetimes
    add("rs rust", rust);
    CodeLanguage go = cLike(kGo);
    go.hasBackticks = true;
    add("go golang", go);
    CodeLanguage python = hashed(kPython);
    python.hasTripleStrings = true;
    add("py python python3 ipython", python);
    add("bash console sh shell zsh dockerfile makefile cmake", hashed(kShell));
    add("ruby rb perl r julia", hashed(kPython));
    CodeLanguage sql;
    sql.keywords = words(kSql);
    sql.lineComment = QStringLiteral("--");
    sql.hasBlockComments = true;
    sql.ignoresCase = true;
    add("sql sqlite postgres postgresql mysql duckdb", sql);
    add("yaml yml toml ini conf", hashed(kData));
    CodeLanguage json = cLike(kData);
    json.singleQuoteIsString = false;
    add("json jsonc json5 jsonl", json);
    CodeLanguage css = cLike("important inherit none auto media import");
    add("css scss less", css);
    CodeLanguage none;
    none.singleQuoteIsString = false; // an apostrophe in prose would colour the rest of the line
    add("plain", none);
    return all;
}

bool isWordStart(QChar c) {
    return c.isLetter() || c == u'_' || c == u'#' || c == u'@';
}
bool isWordPart(QChar c) {
    return c.isLetterOrNumber() || c == u'_';
}

/// One pass over one line.
class Scanner {
public:
    Scanner(const CodeLanguage& language, QStringView line, CodeState& state)
        : m_language(language), m_line(line), m_state(state) {}

    std::vector<CodeRun> run() {
        if (m_state != CodeState::plain)
            closeOpen(0);
        while (m_at < m_line.size() && m_state == CodeState::plain)
            step();
        return std::move(m_runs);
    }

private:
    void add(qsizetype begin, qsizetype end, Color color) {
        if (end > begin)
            m_runs.push_back({begin, end - begin, color});
        m_at = end;
    }
    /// Continues what is open at the line's start or from `begin`, up to its end mark or the end of the line.
    void closeOpen(qsizetype begin) {
        const QStringView mark = m_state == CodeState::blockComment ? u"*/"
            : m_state == CodeState::tripleDouble                    ? u"\"\"\""
            : m_state == CodeState::tripleSingle                    ? u"'''"
                                                                    : QStringView(u"`");
        const Color color = m_state == CodeState::blockComment ? Color::text3 : Color::synString;
        const qsizetype found = m_line.indexOf(mark, m_at);
        add(begin, found < 0 ? m_line.size() : found + mark.size(), color);
        if (found >= 0)
            m_state = CodeState::plain;
    }
    void open(CodeState state, qsizetype markLength) {
        const qsizetype begin = m_at;
        m_state = state;
        m_at += markLength;
        closeOpen(begin);
    }
    void quoted(QChar quote) {
        qsizetype end = m_at + 1;
        while (end < m_line.size() && m_line[end] != quote)
            end += m_line[end] == u'\\' ? 2 : 1;
        add(m_at, std::min(end + 1, m_line.size()), Color::synString);
    }
    void word() {
        qsizetype end = m_at + 1;
        while (end < m_line.size() && isWordPart(m_line[end]))
            ++end;
        QString text = m_line.mid(m_at, end - m_at).toString();
        if (m_language.ignoresCase)
            text = text.toLower();
        if (m_language.keywords.contains(text))
            add(m_at, end, Color::synKeyword);
        else if (end < m_line.size() && m_line[end] == u'(')
            add(m_at, end, Color::synFunction);
        m_at = end;
    }
    void number() {
        qsizetype end = m_at + 1;
        while (end < m_line.size() && (isWordPart(m_line[end]) || m_line[end] == u'.'))
            ++end;
        add(m_at, end, Color::synNumber);
    }
    void step() {
        const QStringView rest = m_line.mid(m_at);
        const QChar c = m_line[m_at];
        if (!m_language.lineComment.isEmpty() && rest.startsWith(m_language.lineComment) && !isDirective(rest))
            add(m_at, m_line.size(), Color::text3);
        else if (m_language.hasBlockComments && rest.startsWith(u"/*"))
            open(CodeState::blockComment, 2);
        else if (m_language.hasTripleStrings && rest.startsWith(u"\"\"\""))
            open(CodeState::tripleDouble, 3);
        else if (m_language.hasTripleStrings && rest.startsWith(u"'''"))
            open(CodeState::tripleSingle, 3);
        else if (m_language.hasBackticks && c == u'`')
            open(CodeState::backtick, 1);
        else if (c == u'"' || (c == u'\'' && m_language.singleQuoteIsString))
            quoted(c);
        else if (isWordStart(c))
            word();
        else if (c.isDigit())
            number();
        else
            ++m_at;
    }
    /// "$#" in a shell and "#!" are no comments worth telling apart; a '#' inside a word is not one.
    [[nodiscard]] bool isDirective(QStringView rest) const {
        return rest.startsWith(u'#') && m_at > 0 && (isWordPart(m_line[m_at - 1]) || m_line[m_at - 1] == u'$');
    }

    const CodeLanguage& m_language;
    QStringView m_line;
    CodeState& m_state;
    qsizetype m_at = 0;
    std::vector<CodeRun> m_runs;
};

} // namespace

const CodeLanguage& codeLanguage(const QString& name) {
    static const QHash<QString, CodeLanguage> kLanguages = makeLanguages();
    const auto found = kLanguages.constFind(name.toLower());
    return found != kLanguages.constEnd() ? *found : *kLanguages.constFind(QStringLiteral("plain"));
}

std::vector<CodeRun> highlightLine(const CodeLanguage& language, QStringView line, CodeState& state) {
    return Scanner(language, line, state).run();
}

} // namespace vitrine::ui
