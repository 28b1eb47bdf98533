// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/store: settings as typed keys in one file, written by rename.
#include "ui/store/settings.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QPointer>
#include <QSaveFile>
#include <QThreadPool>
#include <algorithm>
#include <cmath>

namespace vitrine::ui {

namespace {

constexpr int kWriteDelayMs = 300;
constexpr int kMaxRecentModels = 10;
const QString kLoadOptions = QStringLiteral("models.load_options"); // object: path -> options
const QString kSpeeds = QStringLiteral("models.measured_speed"); // object: path -> quantization -> tok/s
const QString kLastUsed = QStringLiteral("models.last_used"); // object: path -> seconds since 1970

template <class T>
T clamped(const SettingKey<T>& key, T value) {
    return key.maximum > key.minimum ? std::clamp(value, key.minimum, key.maximum) : value;
}

QString nameOf(const char* name) {
    return QString::fromLatin1(name);
}

/// The file holds keys of servers and of the endpoint.
constexpr QFileDevice::Permissions kOwnerOnly = QFileDevice::ReadOwner | QFileDevice::WriteOwner;
constexpr QFileDevice::Permissions kOfOthers =
    QFileDevice::ReadGroup | QFileDevice::WriteGroup | QFileDevice::ReadOther | QFileDevice::WriteOther;

} // namespace

Settings::Settings(const QString& dataDir, QObject* parent)
    : QObject(parent), m_filePath(QDir(dataDir).filePath(QStringLiteral("settings.json"))) {
    m_writeTimer.setSingleShot(true);
    m_writeTimer.setInterval(kWriteDelayMs);
    connect(&m_writeTimer, &QTimer::timeout, this, &Settings::writeSoon);
    QFile file(m_filePath);
    if (!file.open(QIODevice::ReadOnly))
        return; // first start: defaults
    if (file.permissions() & kOfOthers) // as versions before this one left it
        file.setPermissions(kOwnerOnly);
    QJsonParseError error;
    m_values = QJsonDocument::fromJson(file.readAll(), &error).object();
    if (error.error != QJsonParseError::NoError) {
        const QString kept = m_filePath + QStringLiteral(".bad");
        QFile::remove(kept);
        QFile::rename(m_filePath, kept);
    }
}

Settings::~Settings() {
    flush();
}

bool Settings::value(const SettingKey<bool>& key) const {
    return m_values.value(nameOf(key.name)).toBool(key.fallback);
}
int Settings::value(const SettingKey<int>& key) const {
    return clamped(key, m_values.value(nameOf(key.name)).toInt(key.fallback));
}
double Settings::value(const SettingKey<double>& key) const {
    return clamped(key, m_values.value(nameOf(key.name)).toDouble(key.fallback));
}
QString Settings::value(const SettingKey<QString>& key) const {
    return m_values.value(nameOf(key.name)).toString(key.fallback);
}
QStringList Settings::value(const SettingKey<QStringList>& key) const {
    const QJsonValue found = m_values.value(nameOf(key.name));
    if (!found.isArray())
        return key.fallback;
    QStringList list;
    for (const QJsonValue& item : found.toArray())
        list.append(item.toString());
    return list;
}

void Settings::set(const SettingKey<bool>& key, bool value) {
    store(nameOf(key.name), value);
}
void Settings::set(const SettingKey<int>& key, int value) {
    store(nameOf(key.name), clamped(key, value));
}
void Settings::set(const SettingKey<double>& key, double value) {
    store(nameOf(key.name), clamped(key, value));
}
void Settings::set(const SettingKey<QString>& key, const QString& value) {
    store(nameOf(key.name), value);
}
void Settings::set(const SettingKey<QStringList>& key, const QStringList& value) {
    store(nameOf(key.name), QJsonArray::fromStringList(value));
}

QJsonObject Settings::loadOptions(const QString& modelPath) const {
    return m_values.value(kLoadOptions).toObject().value(modelPath).toObject();
}

void Settings::setLoadOptions(const QString& modelPath, const QJsonObject& options) {
    QJsonObject all = m_values.value(kLoadOptions).toObject();
    if (options.isEmpty())
        all.remove(modelPath);
    else
        all.insert(modelPath, options);
    store(kLoadOptions, all);
}

void Settings::noteModelUsed(const QString& path) {
    QStringList recent = value(keys::kRecentModels);
    recent.removeAll(path);
    recent.prepend(path);
    recent.resize(std::min<qsizetype>(recent.size(), kMaxRecentModels));
    set(keys::kRecentModels, recent);
    QJsonObject used = m_values.value(kLastUsed).toObject();
    used.insert(path, QDateTime::currentSecsSinceEpoch());
    store(kLastUsed, used);
}

qint64 Settings::modelLastUsed(const QString& path) const {
    return m_values.value(kLastUsed).toObject().value(path).toInteger(0);
}

QJsonObject Settings::measuredSpeeds(const QString& path) const {
    return m_values.value(kSpeeds).toObject().value(path).toObject();
}

void Settings::noteSpeed(const QString& path, const QString& quantize, double tokensPerSecond) {
    QJsonObject all = m_values.value(kSpeeds).toObject();
    QJsonObject own = all.value(path).toObject();
    own.insert(quantize, std::round(tokensPerSecond * 10) / 10);
    all.insert(path, own);
    store(kSpeeds, all);
}

QJsonValue Settings::raw(const QString& name) const {
    return m_values.value(name);
}

void Settings::setRaw(const QString& name, const QJsonValue& value) {
    store(name, value);
}

void Settings::store(const QString& name, const QJsonValue& value) {
    if (m_values.value(name) == value)
        return;
    m_values.insert(name, value);
    m_dirty = true;
    m_writeTimer.start();
    emit changed(name);
}

QString Settings::writeFile(const QString& path, const QByteArray& bytes) {
    QDir().mkpath(QFileInfo(path).absolutePath());
    QSaveFile file(path);
    const bool isOpen = file.open(QIODevice::WriteOnly);
    if (isOpen)
        file.setPermissions(kOwnerOnly); // a disk without owners (FAT) refuses, and still takes the settings
    if (isOpen && file.write(bytes) == bytes.size() && file.commit())
        return {};
    return QStringLiteral("%1: %2").arg(path, file.errorString());
}

void Settings::writeSoon() {
    if (m_isWriting) {
        m_writeTimer.start(); // one write at a time, or an older one could win the rename
        return;
    }
    m_dirty = false;
    m_isWriting = true;
    QThreadPool::globalInstance()->start([self = QPointer<Settings>(this), path = m_filePath, bytes = asBytes()] {
        const QString failure = writeFile(path, bytes);
        // Posted to the application object: it outlives the settings, whose pointer is looked at on its thread.
        QMetaObject::invokeMethod(qApp, [self, failure] {
            if (!self)
                return;
            self->m_isWriting = false;
            if (!failure.isEmpty())
                emit self->writeFailed(failure);
        });
    });
}

QByteArray Settings::asBytes() const {
    return QJsonDocument(m_values).toJson(QJsonDocument::Indented);
}

void Settings::flush() {
    m_writeTimer.stop();
    if (m_isWriting) {
        QThreadPool::globalInstance()->waitForDone();
        m_isWriting = false;
    }
    if (!m_dirty)
        return;
    m_dirty = false;
    if (const QString failure = writeFile(m_filePath, asBytes()); !failure.isEmpty())
        emit writeFailed(failure);
}

} // namespace vitrine::ui
