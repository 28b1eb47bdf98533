// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/widgets: Qt's own dialogs behind the seam.
#include "ui/widgets/dialogs.h"

#include <QCoreApplication>
#include <QFileDialog>
#include <QInputDialog>
#include <QMessageBox>
#include <QPushButton>

namespace vitrine::ui {
namespace {

QString nameFilter(const Dialogs::FileFilter& filter) {
    return QStringLiteral("%1 (%2)").arg(filter.title, filter.patterns.join(u' '));
}

QFileDialog* fileDialog(QWidget* parent, const QString& title, QFileDialog::FileMode mode) {
    auto* dialog = new QFileDialog(parent, title);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(mode);
    return dialog;
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
    dialog->setNameFilters({nameFilter(filter), QCoreApplication::translate("Dialogs", "All files (*)")});
    dialog->selectFile(suggested);
    QObject::connect(dialog, &QFileDialog::finished, dialog, [dialog, done = std::move(done)](int result) {
        done(result == QDialog::Accepted ? dialog->selectedFiles().value(0) : QString());
    });
    dialog->open();
}

void QtDialogs::confirm(QWidget* parent, const Question& question, std::function<void(bool)> done) {
    auto* box = new QMessageBox(QMessageBox::NoIcon, question.title, question.title, QMessageBox::NoButton, parent);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setInformativeText(question.text);
    QPushButton* safe = box->addButton(QMessageBox::Cancel);
    QPushButton* accept = box->addButton(question.accept, QMessageBox::AcceptRole);
    accept->setProperty("kind", question.destructive ? "destructive" : "primary");
    box->setDefaultButton(question.destructive ? safe : accept);
    QObject::connect(box, &QMessageBox::finished, box,
        [box, accept, done = std::move(done)](int) { done(box->clickedButton() == accept); });
    box->open();
}

void QtDialogs::choose(QWidget* parent, const QString& title, const QString& text, const QStringList& answers,
    std::function<void(int)> done) {
    auto* box = new QMessageBox(QMessageBox::NoIcon, title, title, QMessageBox::Cancel, parent);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setInformativeText(text);
    QList<QAbstractButton*> buttons;
    for (const QString& answer : answers) {
        QPushButton* button = box->addButton(answer, QMessageBox::AcceptRole);
        button->setProperty("kind", buttons.isEmpty() ? "primary" : "regular");
        buttons += button;
    }
    box->setDefaultButton(qobject_cast<QPushButton*>(buttons.value(0)));
    QObject::connect(box, &QMessageBox::finished, box,
        [box, buttons, done = std::move(done)](int) { done(static_cast<int>(buttons.indexOf(box->clickedButton()))); });
    box->open();
}

void QtDialogs::message(QWidget* parent, const QString& title, const QString& text) {
    auto* box = new QMessageBox(QMessageBox::NoIcon, title, title, QMessageBox::Ok, parent);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setInformativeText(text);
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
    QObject::connect(dialog, &QInputDialog::finished, dialog,
        [dialog, done = std::move(done)](int result) { done(result == QDialog::Accepted, dialog->textValue()); });
    dialog->open();
}

} // namespace vitrine::ui
