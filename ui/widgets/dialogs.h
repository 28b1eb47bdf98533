// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/widgets: the seam for file and message boxes.  Nothing else opens one, so that tests can answer.
#pragma once

#include <QString>
#include <QStringList>

#include <functional>
#include <vector>

class QWidget;

namespace vitrine::ui {

/// Every call returns at once; the answer comes later on the GUI thread, or never when `parent` dies first.
class Dialogs {
public:
    virtual ~Dialogs() = default;
    struct FileFilter {
        QString title; // "GGUF models"
        QStringList patterns; // "*.gguf"
        std::vector<FileFilter> others{}; // of saveFile: other formats, each its own ending
    };
    /// Empty list: cancelled.
    virtual void openFiles(QWidget* parent, const QString& title, const FileFilter& filter, bool many,
        std::function<void(QStringList)> done) = 0;
    /// Empty string: cancelled.
    virtual void openFolder(QWidget* parent, const QString& title, std::function<void(QString)> done) = 0;
    virtual void saveFile(QWidget* parent, const QString& title, const QString& suggested, const FileFilter& filter,
        std::function<void(QString)> done) = 0;
    struct Question {
        QString title, text, accept; // accept: verb of the button, "Move to Trash"
        bool destructive = false; // the safe button is the default then
        std::function<QString()> textNow{}; // what the text would be now: asked every second while the question stands
    };
    virtual void confirm(QWidget* parent, const Question& question, std::function<void(bool)> done) = 0;
    /// One of several answers, the first being the default; done(-1) when the box was closed without one.
    virtual void choose(QWidget* parent, const QString& title, const QString& text, const QStringList& answers,
        std::function<void(int)> done) = 0;
    virtual void message(QWidget* parent, const QString& title, const QString& text) = 0;
    /// One line of text; done(false, ...) when cancelled.
    virtual void askText(QWidget* parent, const QString& title, const QString& label, const QString& value,
        std::function<void(bool, QString)> done) = 0;
};

/// Qt's own dialogs, window modal.
class QtDialogs final : public Dialogs {
public:
    void openFiles(QWidget* parent, const QString& title, const FileFilter& filter, bool many,
        std::function<void(QStringList)> done) override;
    void openFolder(QWidget* parent, const QString& title, std::function<void(QString)> done) override;
    void saveFile(QWidget* parent, const QString& title, const QString& suggested, const FileFilter& filter,
        std::function<void(QString)> done) override;
    void confirm(QWidget* parent, const Question& question, std::function<void(bool)> done) override;
    void choose(QWidget* parent, const QString& title, const QString& text, const QStringList& answers,
        std::function<void(int)> done) override;
    void message(QWidget* parent, const QString& title, const QString& text) override;
    void askText(QWidget* parent, const QString& title, const QString& label, const QString& value,
        std::function<void(bool, QString)> done) override;
};

} // namespace vitrine::ui
