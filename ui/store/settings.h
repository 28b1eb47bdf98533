// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/store: settings as typed keys in one file, written by rename.
#pragma once

#include <QJsonObject>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>

namespace vitrine::ui {

/// A setting: its name in the file, its default and, for numbers, its range.
template <class T>
struct SettingKey {
    const char* name;
    T fallback;
    T minimum{};
    T maximum{}; // maximum <= minimum: no range
};

namespace keys {
inline const SettingKey<int> kTextSizePercent{"appearance.text_size", 100, 80, 200};
inline const SettingKey<QString> kTheme{"appearance.theme", QStringLiteral("system")}; // system, light, dark, contrast
inline const SettingKey<bool> kReducedMotion{"appearance.reduced_motion", false};
inline const SettingKey<QString> kLanguage{"appearance.language", QString()};
inline const SettingKey<bool> kChatListVisible{"chat.list_visible", true};
inline const SettingKey<bool> kInspectorVisible{"chat.inspector_visible", false};
inline const SettingKey<QString> kSystemPrompt{"chat.system_prompt", QString()};
inline const SettingKey<double> kTemperature{"chat.temperature", 0.0, 0.0, 2.0};
inline const SettingKey<double> kTopP{"chat.top_p", 0.95, 0.0, 1.0};
inline const SettingKey<bool> kEnterSends{"chat.enter_sends", true};
inline const SettingKey<QStringList> kRecentModels{"models.recent", {}}; // paths, newest first
inline const SettingKey<QStringList> kModelFolders{"models.folders", {}}; // added by the user
inline const SettingKey<bool> kOtherApps{"models.other_apps", true}; // LM Studio, Ollama, Hugging Face
inline const SettingKey<bool> kLoadLastModel{"models.load_last", true};
inline const SettingKey<QString> kDevice{"engine.device", QStringLiteral("auto")};
inline const SettingKey<int> kIdleUnloadMinutes{"engine.idle_unload_minutes", 0, 0, 24 * 60}; // 0: never
inline const SettingKey<int> kServerPort{"server.port", 8080, 1, 65535};
inline const SettingKey<bool> kServerEnabled{"server.enabled", false};
inline const SettingKey<bool> kServerLocalNetwork{"server.local_network", false};
inline const SettingKey<QString> kServerKey{"server.api_key", QString()};
inline const SettingKey<QStringList> kServerOrigins{"server.origins", {}};
inline const SettingKey<int> kServerMaxWaiting{"server.max_waiting", 64, 0, 1'000}; // then 429
inline const SettingKey<bool> kChatFirst{"server.chat_first", true};
// The window is closed, the server on, the desktop has a tray: hide instead of quitting.
inline const SettingKey<bool> kKeepServing{"window.keep_serving", false};
inline const SettingKey<QString> kWindowGeometry{"window.geometry", QString()}; // base64 of saveGeometry()
inline const SettingKey<QString> kWindowState{"window.state", QString()};
inline const SettingKey<QString> kLastPage{"window.page", QStringLiteral("chat")};
} // namespace keys

/// Thread: GUI.  A change is seen at once (changed()) and reaches the disk within half a second, by rename, from a pool
/// thread; flush() at shutdown waits for it.  Unknown keys of the file are kept.
class Settings final : public QObject {
    Q_OBJECT
public:
    /// Reads `<dataDir>/settings.json`.  A file that cannot be parsed is kept as `settings.json.bad` and defaults stand.
    explicit Settings(const QString& dataDir, QObject* parent = nullptr);
    ~Settings() override; // flush()

    [[nodiscard]] bool value(const SettingKey<bool>& key) const;
    [[nodiscard]] int value(const SettingKey<int>& key) const; // clamped to the range
    [[nodiscard]] double value(const SettingKey<double>& key) const;
    [[nodiscard]] QString value(const SettingKey<QString>& key) const;
    [[nodiscard]] QStringList value(const SettingKey<QStringList>& key) const;
    void set(const SettingKey<bool>& key, bool value);
    void set(const SettingKey<int>& key, int value);
    void set(const SettingKey<double>& key, double value);
    void set(const SettingKey<QString>& key, const QString& value);
    void set(const SettingKey<QStringList>& key, const QStringList& value);

    /// Load options of one model file, as bridge/qt_convert.h writes them; empty: defaults.
    [[nodiscard]] QJsonObject loadOptions(const QString& modelPath) const;
    void setLoadOptions(const QString& modelPath, const QJsonObject& options);
    /// Puts `path` first in kRecentModels (at most ten).
    void noteModelUsed(const QString& path);
    /// Seconds since 1970 of the last use; 0: never.
    [[nodiscard]] qint64 modelLastUsed(const QString& path) const;
    /// Tokens a second measured with a model file, by the name it was re-quantized to ("": as in the file).
    [[nodiscard]] QJsonObject measuredSpeeds(const QString& path) const;
    void noteSpeed(const QString& path, const QString& quantize, double tokensPerSecond);
    /// Whatever a page wants to keep of its own (column widths ...), by a dotted name.
    [[nodiscard]] QJsonValue raw(const QString& name) const;
    void setRaw(const QString& name, const QJsonValue& value);

    [[nodiscard]] QString filePath() const { return m_filePath; }
    void flush();

signals:
    void changed(const QString& name);
    void writeFailed(const QString& message);

private:
    void store(const QString& name, const QJsonValue& value);
    void writeSoon();
    [[nodiscard]] QByteArray asBytes() const;
    [[nodiscard]] static QString writeFile(const QString& path, const QByteArray& bytes); // empty: written

    QString m_filePath;
    QJsonObject m_values; // dotted name -> value
    QTimer m_writeTimer;
    bool m_dirty = false;
    bool m_isWriting = false;
};

} // namespace vitrine::ui
