// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/models: the Models page: table of files, detail of one.
#pragma once

#include <QStringList>
#include <QWidget>

#include <memory>

namespace vitrine::ui {

class Dialogs;
class Downloads;
class EngineClient;
class ModelDetails;
class ModelListModel;
class QuantizationRunner;
class Settings;
class Theme;

/// What lives longer than a page, in this process: a window that is made anew in another language lists the same files.
struct OpenedModels {
    QStringList files; // from anywhere, the newest first
    QString chosen; // whose details are shown; empty: none
};

/// Thread: GUI.  Files are found on a pool thread and read by the client's worker.
class ModelsPage final : public QWidget {
    Q_OBJECT
public:
    struct Context {
        const Theme& theme;
        EngineClient& client;
        Settings& settings;
        Dialogs& dialogs;
        QString dataDir; // holds models/
        Downloads& downloads;
        QuantizationRunner& quantization;
        OpenedModels& opened;
    };
    explicit ModelsPage(const Context& context, QWidget* parent = nullptr);
    ~ModelsPage() override;

    /// Adds a file, used in place, and chooses it.
    void openFile(const QString& path);
    void askForFile();
    void showHub(); // where models come from
    void rescan();
    [[nodiscard]] ModelListModel& list();
    [[nodiscard]] ModelDetails& details();

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Parts;
    enum class Side : quint8 { list, right };
    void showSide(Side side);
    void arrange();
    void fitColumns();
    void buildList();
    void buildHub();
    void buildQuantize();
    void nameButtons();
    void choose(const QString& path);
    void showDetails(const QString& path);
    void inspectUnknown();
    void refreshSpans();
    void refreshState(); // which file is loaded or loading
    void buildEmpty();
    void refreshEmpty();
    void askForFolder();

    std::unique_ptr<Parts> m;
};

} // namespace vitrine::ui
