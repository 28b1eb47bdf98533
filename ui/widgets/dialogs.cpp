// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/widgets: Qt's own dialogs behind the seam.
#include "ui/widgets/dialogs.h"

#include "ui/widgets/labels.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>
#include <QLabel>
#include <QLayout>
#include <QMessageBox>
#include <QPushButton>
#include <QRegularExpression>
#include <QTimer>

#include <utility>

namespace vitrine::ui {
namespace {

constexpr int kBoxMargin = 20;
constexpr int kLongestWord = 40; // characters
constexpr int kAskAgainMs = 1000;
constexpr int kFileDialogWidth = 860, kFileDialogHeight = 540;

QString nameFilter(const Dialogs::FileFilter& filter) {
    return QStringLiteral("%1 (%2)").arg(
        filter.title, filter.patterns.isEmpty() ? QStringLiteral("*") : filter.patterns.join(u' '));
}

/// Room to break for words longer than a line, addresses and paths: a box would become as wide as they are.
QString breakable(const QString& text) {
    QString result;
    qsizetype run = 0;
    for (const QChar c : text) {
        result += c;
        run = c.isSpace() || c.isLowSurrogate() || c.isMark() ? 0 : run + 1;
        if (run == kLongestWord) {
            result += QChar(0x200B);
            run = 0;
        }
    }
    return result;
}

/// "md" of "Markdown (*.md)"; empty where any file will do.
QString suffixOf(const QString& filter) {
    const qsizetype at = filter.lastIndexOf(QLatin1String("(*."));
    return at < 0 ? QString() : filter.mid(at + 3).section(QRegularExpression(QStringLiteral("[ )]")), 0, 0);
}

QFileDialog* fileDialog(QWidget* parent, const QString& title, QFileDialog::FileMode mode) {
    // Where one was last; first at home, wherever the program was started.
    static bool wasOpen = false;
    auto* dialog = new QFileDialog(parent, title, std::exchange(wasOpen, true) ? QString() : QDir::homePath());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(mode);
    if (const QWidget* window = parent != nullptr ? parent->window() : nullptr) // names and dates need room
        dialog->resize(QSize(kFileDialogWidth, kFileDialogHeight).boundedTo(window->size() * 0.9));
    return dialog;
}

// Qt's own words come in the window's language only where its translations are installed.
QString cancelText() {
    return QCoreApplication::translate("Dialogs", "Cancel");
}
QString okText() {
    return QCoreApplication::translate("Dialogs", "OK");
}

QMessageBox* messageBox(QWidget* parent, const QString& title, const QString& text) {
    auto* box = new QMessageBox(QMessageBox::NoIcon, title, title, QMessageBox::NoButton, parent);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setTextFormat(Qt::PlainText); // names are of anybody's making
    box->setInformativeText(breakable(text));
    if (auto* label = box->findChild<QLabel*>(QStringLiteral("qt_msgbox_label")))
        setStyleProperty(label, "role", "strong");
    box->layout()->setContentsMargins(kBoxMargin, kBoxMargin, kBoxMargin, kBoxMargin);
    return box;
}

} // namespace

void QtDialogs::openFiles(
    QWidget* parent, const QString& title, const FileFilter& filter, bool many, std::function<void(QStringList)> done) {
    auto* dialog = fileDialog(parent, title, many ? QFileDialog::ExistingFiles : QFileDialog::ExistingFile);
    dialog->setNameFilters({nameFilter(filter), QCoreApplication::translate("Dialogs", "All files (*)")});
    QObject::connect(dialog, &QFileDialog::finished, dialog, [dialog, done = std::move(done)](int result) {
        done(result == QDialog::Accepted ? dialog->selectedFiles() : QStringList());
    });
    dialog->open();
}

void QtDialogs::openFolder(QWidget* parent, const QString& title, std::function<void(QString)> done) {
    auto* dialog = fileDialog(parent, title, QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    QObject::connect(dialog, &QFileDialog::finished, dialog, [dialog, done = std::move(done)](int result) {
        done(result == QDialog::Accepted ? dialog->selectedFiles().value(0) : QString());
    });
    dialog->open();
}

void QtDialogs::saveFile(QWidget* parent, const QString& title, const QString& suggested, const FileFilter& filter,
    std::function<void(QString)> done) {
    auto* dialog = fileDialog(parent, title, QFileDialog::AnyFile);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    QStringList filters{nameFilter(filter)};
    for (const Dialogs::FileFilter& other : filter.others)
        filters += nameFilter(other);
    dialog->setNameFilters(filters + QStringList{QCoreApplication::translate("Dialogs", "All files (*)")});
    dialog->setDefaultSuffix(suffixOf(filters.first()));
    dialog->selectFile(suggested);
    // Another format is another ending: nobody should have to type it.
    QObject::connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString& chosen) {
        const QString suffix = suffixOf(chosen);
        const QString file = dialog->selectedFiles().value(0);
        if (suffix.isEmpty() || file.isEmpty())
            return;
        dialog->setDefaultSuffix(suffix);
        dialog->selectFile(QFileInfo(file).completeBaseName() + u'.' + suffix);
    });
    QObject::connect(dialog, &QFileDialog::finished, dialog, [dialog, done = std::move(done)](int result) {
        done(result == QDialog::Accepted ? dialog->selectedFiles().value(0) : QString());
    });
    dialog->open();
}

void QtDialogs::confirm(QWidget* parent, const Question& question, std::function<void(bool)> done) {
    QMessageBox* box = messageBox(parent, question.title, question.text);
    QPushButton* safe = box->addButton(cancelText(), QMessageBox::RejectRole);
    QPushButton* accept = box->addButton(question.accept, QMessageBox::AcceptRole);
    setStyleProperty(accept, "kind", question.destructive ? "destructive" : "primary");
    box->setEscapeButton(safe);
    box->setDefaultButton(question.destructive ? safe : accept);
    QObject::connect(box, &QMessageBox::finished, box,
        [box, accept, done = std::move(done)](int) { done(box->clickedButton() == accept); });
    if (question.textNow) {
        auto* timer = new QTimer(box);
        QObject::connect(
            timer, &QTimer::timeout, box, [box, now = question.textNow] { box->setInformativeText(breakable(now())); });
        timer->start(kAskAgainMs);
    }
    box->open();
}

void QtDialogs::choose(QWidget* parent, const QString& title, const QString& text, const QStringList& answers,
    std::function<void(int)> done) {
    QMessageBox* box = messageBox(parent, title, text);
    box->setEscapeButton(box->addButton(cancelText(), QMessageBox::RejectRole));
    QList<QAbstractButton*> buttons;
    for (const QString& answer : answers) {
        QPushButton* button = box->addButton(answer, QMessageBox::AcceptRole);
        setStyleProperty(button, "kind", buttons.isEmpty() ? "primary" : "regular");
        buttons += button;
    }
    box->setDefaultButton(qobject_cast<QPushButton*>(buttons.value(0)));
    QObject::connect(box, &QMessageBox::finished, box,
        [box, buttons, done = std::move(done)](int) { done(static_cast<int>(buttons.indexOf(box->clickedButton()))); });
    box->open();
}

void QtDialogs::message(QWidget* parent, const QString& title, const QString& text) {
    QMessageBox* box = messageBox(parent, title, text);
    box->addButton(okText(), QMessageBox::AcceptRole);
    box->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    box->open();
}

void QtDialogs::askText(QWidget* parent, const QString& title, const QString& label, const QString& value,
    std::function<void(bool, QString)> done) {
    auto* dialog = new QInputDialog(parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(title);
    dialog->setLabelText(label);
    dialog->setTextValue(value);
    dialog->setOkButtonText(okText());
    dialog->setCancelButtonText(cancelText());
    if (auto* text = dialog->findChild<QLabel*>()) // a long question breaks instead of widening the box
        text->setWordWrap(true);
    QObject::connect(dialog, &QInputDialog::finished, dialog,
        [dialog, done = std::move(done)](int result) { done(result == QDialog::Accepted, dialog->textValue()); });
    dialog->open();
}

} // namespace vitrine::ui
