// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine tests/ui/models: files found, rows told apart, plans asked before a load, refusals explained.
#include "ui/models/model_details.h"
#include "ui/models/models_page.h"

#include "tests/ui/support/stage.h"
#include "ui/bridge/quantization_runner.h"
#include "ui/models/downloads.h"
#include "ui/models/fit_bar.h"
#include "ui/models/quant_picker.h"
#include "ui/widgets/error_banner.h"
#include "ui/widgets/labels.h"

#include <QAbstractItemModelTester>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QProcessEnvironment>
#include <QRadioButton>
#include <QSlider>
#include <QTest>

#include <gtest/gtest.h>

#include <algorithm>

namespace vitrine::ui {
namespace {

using vitrine::testing::Stage;

class ModelsTest : public ::testing::Test {
protected:
    QString modelFile(const QString& name) const {
        return QStringLiteral("%1/models/%2.gguf").arg(m_stage.dataDir, name);
    }
    static void touch(const QString& path) {
        QFile file(path);
        ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    }
    Stage m_stage;
    Downloads m_downloads{m_stage.dataDir + QStringLiteral("/models")};
    QuantizationRunner m_quantization;
    OpenedModels m_opened;
};

TEST_F(ModelsTest, SearchFindsFilesAtAnyDepthAndOnlyFirstParts) {
    const QString root = m_stage.dir.filePath(QStringLiteral("deep"));
    QDir().mkpath(root + QStringLiteral("/a/b"));
    touch(root + QStringLiteral("/a/b/x.gguf"));
    touch(root + QStringLiteral("/big-00001-of-00002.gguf"));
    touch(root + QStringLiteral("/big-00002-of-00002.gguf"));
    touch(root + QStringLiteral("/notes.txt"));
    const auto folders = searchModelFolders({root, QStringLiteral("/no/such/folder")},
        {root + QStringLiteral("/a/b/x.gguf"), QStringLiteral("/gone.gguf")});
    ASSERT_EQ(folders.size(), 3U);
    EXPECT_EQ(folders[0].files.size(), 2U);
    EXPECT_FALSE(folders[1].isOnline);
    ASSERT_EQ(folders[2].files.size(), 1U) << "a file of a known folder is not listed twice";
    EXPECT_FALSE(folders[2].files[0].exists);
}

TEST_F(ModelsTest, ListsAFileOnceWhateverLinksLeadToIt) {
    const QString own = m_stage.dir.filePath(QStringLiteral("own")),
                  disk = m_stage.dir.filePath(QStringLiteral("disk"));
    ASSERT_TRUE(QDir().mkpath(own) && QDir().mkpath(disk));
    const QString file = disk + QStringLiteral("/m.gguf"), link = own + QStringLiteral("/m.gguf");
    const QString second = own + QStringLiteral("/second.gguf"),
                  lone = m_stage.dir.filePath(QStringLiteral("lone.gguf"));
    const QString loneLink = m_stage.dir.filePath(QStringLiteral("lone-link.gguf"));
    touch(file);
    touch(lone);
    ASSERT_TRUE(QFile::link(file, link) && QFile::link(file, second) && QFile::link(lone, loneLink));

    auto found = searchModelFolders({own, disk}, {});
    ASSERT_EQ(found.size(), 2U);
    ASSERT_EQ(found[0].files.size(), 1U) << "two links in one folder";
    EXPECT_EQ(found[0].files[0].path, link);
    EXPECT_TRUE(found[1].files.empty()) << "and the file itself in another";

    found = searchModelFolders({own}, {file, second, lone, loneLink});
    ASSERT_EQ(found.size(), 2U);
    ASSERT_EQ(found[0].files.size(), 1U);
    EXPECT_EQ(found[0].files[0].path, file) << "the row goes by the name that was opened last";
    ASSERT_EQ(found[1].files.size(), 1U) << "elsewhere too";
    EXPECT_EQ(found[1].files[0].path, lone);
}

TEST_F(ModelsTest, FindsTheModelsOfOtherAppsInPlace) {
    const QString home = m_stage.dir.filePath(QStringLiteral("home"));
    const QString digest(64, u'a');
    const QString ollama = home + QStringLiteral("/.ollama/models");
    const QString snapshots = home + QStringLiteral("/.cache/huggingface/hub/models--a--b/snapshots");
    for (const QString& folder :
        {ollama + QStringLiteral("/blobs"), home + QStringLiteral("/.lmstudio/models/x/y"),
            ollama + QStringLiteral("/manifests/registry.ollama.ai/library/llama3.2"), snapshots + QStringLiteral("/1"),
            snapshots + QStringLiteral("/2"), snapshots + QStringLiteral("/../blobs")})
        ASSERT_TRUE(QDir().mkpath(folder));
    touch(home + QStringLiteral("/.lmstudio/models/x/y/z.Q4_K_M.gguf"));
    touch(home + QStringLiteral("/.lmstudio/models/x/y/mmproj-z.gguf"));
    touch(ollama + QStringLiteral("/blobs/sha256-") + digest);
    QFile manifest(ollama + QStringLiteral("/manifests/registry.ollama.ai/library/llama3.2/1b"));
    ASSERT_TRUE(manifest.open(QIODevice::WriteOnly));
    manifest.write(
        QStringLiteral(R"({"layers":[{"mediaType":"application/vnd.ollama.image.license","digest":"sha256:00"},
        {"mediaType":"application/vnd.ollama.image.model","digest":"sha256:%1","size":1}]})")
            .arg(digest)
            .toUtf8());
    manifest.close();
    QFile hostile(ollama + QStringLiteral("/manifests/registry.ollama.ai/library/llama3.2/evil"));
    ASSERT_TRUE(hostile.open(QIODevice::WriteOnly));
    hostile.write(
        R"({"layers":[{"mediaType":"application/vnd.ollama.image.model","digest":"sha256:../../../etc/passwd"}]})");
    hostile.close();
    touch(snapshots + QStringLiteral("/../blobs/one"));
    QFile::link(snapshots + QStringLiteral("/../blobs/one"), snapshots + QStringLiteral("/1/h.gguf"));
    QFile::link(snapshots + QStringLiteral("/../blobs/one"), snapshots + QStringLiteral("/2/h.gguf"));
    const auto places = otherAppsPlaces(home, QProcessEnvironment());
    ASSERT_EQ(places.size(), 3);
    const auto found = searchModelFolders({}, {}, places);
    ASSERT_EQ(found.size(), 3U);
    EXPECT_EQ(found[0].owner.toStdString(), "LM Studio");
    EXPECT_EQ(found[0].files.size(), 1U) << "a vision projector is no model";
    ASSERT_EQ(found[1].files.size(), 1U) << "a manifest cannot point outside";
    EXPECT_EQ(found[1].files[0].name.toStdString(), "llama3.2:1b");
    EXPECT_EQ(found[2].files.size(), 1U) << "two snapshots of one blob are one model";
    ModelListModel model;
    model.setFolders(found);
    EXPECT_EQ(model.index(3, ModelListModel::name).data().toString().toStdString(), "llama3.2:1b");
}

TEST_F(ModelsTest, ListModelIsConsistentAndKeepsRowsOfAnOfflineFolder) {
    ModelListModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    const QString path = QStringLiteral("/m/One.Q4_0.gguf");
    model.setFolders({{QStringLiteral("/m"), true, {{path, 1000, true}}}});
    ASSERT_EQ(model.rowCount(), 2);
    EXPECT_TRUE(model.isHeading(0));
    EXPECT_EQ(model.index(1, ModelListModel::state).data().toString(), QStringLiteral("Reading"));
    model.setFacts(path, {m_stage.engine.inspect(path.toStdString()).value(), {}, {}, 0});
    EXPECT_EQ(model.index(1, ModelListModel::name).data().toString(), QStringLiteral("One"));
    EXPECT_EQ(model.index(1, ModelListModel::state).data().toString(), QStringLiteral("Ready"));
    model.setLoaded(path);
    EXPECT_EQ(model.index(1, ModelListModel::state).data().toString(), QStringLiteral("Loaded"));
    model.setLoaded({});
    model.setFolders({{QStringLiteral("/m"), false, {}}});
    ASSERT_EQ(model.rowCount(), 2);
    EXPECT_EQ(model.index(1, ModelListModel::state).data().toString(), QStringLiteral("Offline"));
    model.setFilter(QStringLiteral("nothing like it"));
    EXPECT_EQ(model.rowCount(), 0);
}

TEST(ModelsText, SaysWhenAModelWasUsed) {
    const QDateTime now(QDate(2026, 11, 29), QTime(12, 0));
    const auto when = [&](const QDateTime& time) { return whenText(time.toSecsSinceEpoch(), now).toStdString(); };
    EXPECT_EQ(whenText(0, now).toStdString(), "never");
    EXPECT_EQ(when(QDateTime(QDate(2026, 11, 29), QTime(9, 12))), "09:12");
    EXPECT_EQ(when(QDateTime(QDate(2026, 11, 24), QTime(10, 5))), "Tue 10:05");
    EXPECT_EQ(when(QDateTime(QDate(2026, 11, 14), QTime(10, 5))), "14 Nov");
    EXPECT_EQ(when(QDateTime(QDate(2025, 10, 3), QTime(10, 5))), "3 Oct 2025");
}

TEST(ContextSteps, EndAtTheModelsOwnContext) {
    EXPECT_EQ(contextSteps(8192), (std::vector<int>{256, 512, 1024, 1536, 2048, 3072, 4096, 6144, 8192}));
    EXPECT_EQ(contextSteps(40'960).back(), 40'960);
    EXPECT_EQ(contextSteps(100), (std::vector<int>{100}));
}

TEST_F(ModelsTest, PlansBeforeLoadingAndAgainWhenTheContextGrows) {
    ModelDetails details(m_stage.theme, m_stage.client, m_stage.settings);
    details.show();
    const QString path = modelFile(QStringLiteral("Qwen3-14B.Q4_K_M"));
    details.showModel(path, {m_stage.engine.inspect(path.toStdString()).value(), {}, {}, 0});
    auto* fit = details.findChild<FitBar*>();
    ASSERT_TRUE(Stage::waitFor([&] { return !fit->verdict().isEmpty(); }));
    EXPECT_TRUE(fit->verdict().startsWith(QStringLiteral("Fits"))) << fit->verdict().toStdString();
    QSlider* context = nullptr;
    for (QSlider* slider : details.findChildren<QSlider*>())
        if (slider->accessibleName() == QStringLiteral("Context"))
            context = slider;
    ASSERT_NE(context, nullptr);
    context->setValue(context->maximum()); // 4 x 40,960 tokens of 160 KiB are 25 GiB
    ASSERT_TRUE(Stage::waitFor([&] { return fit->verdict().contains(QStringLiteral("over")); }));
    context->setValue(0);
    ASSERT_TRUE(Stage::waitFor([&] { return fit->verdict().startsWith(QStringLiteral("Fits")); }));
    EXPECT_EQ(details.config().context, 256);
    EXPECT_EQ(details.config().num_blocks, 256 / 16 * 4);
}

TEST_F(ModelsTest, ADraftModelAddsNothingToTheWeightsOfAQuantization) {
    ModelDetails details(m_stage.theme, m_stage.client, m_stage.settings);
    details.show();
    const QString path = modelFile(QStringLiteral("Qwen3-14B.Q4_K_M"));
    details.showModel(path, {m_stage.engine.inspect(path.toStdString()).value(), {}, {}, 0});
    details.setDraftCandidates({{modelFile(QStringLiteral("Qwen3-0.6B.Q8_0")), QStringLiteral("small one")}});
    const auto* fit = details.findChild<FitBar*>();
    const auto texts = [&] {
        QStringList all;
        for (const QLabel* label : details.findChild<QuantPicker*>()->findChildren<QLabel*>())
            all += label->text();
        return all;
    };
    const auto isVerdict = [](const QString& text) {
        return text == QStringLiteral("yes") || text.endsWith(QStringLiteral("over"));
    };
    const auto isPlanned = [&] {
        const QStringList all = texts();
        return std::count_if(all.begin(), all.end(), isVerdict) == std::ssize(QuantPicker::choices());
    };
    ASSERT_TRUE(Stage::waitFor(isPlanned));
    const QStringList before = texts();
    const QString verdict = fit->verdict();
    for (auto* button : details.findChildren<QRadioButton*>())
        if (button->text() == QStringLiteral("small one"))
            button->click();
    ASSERT_TRUE(Stage::waitFor([&] { return fit->verdict() != verdict; })) << "but it takes memory";
    QTest::qWait(100); // the plans of the other choices
    const QStringList after = texts();
    for (qsizetype i = 0; i < before.size(); ++i)
        EXPECT_TRUE(isVerdict(before[i]) || after[i] == before[i]) << after[i].toStdString();
}

TEST_F(ModelsTest, LayersAreSharedBetweenGpuAndCpu) {
    ModelDetails details(m_stage.theme, m_stage.client, m_stage.settings);
    details.show();
    const QString path = modelFile(QStringLiteral("Qwen3-14B.Q4_K_M"));
    details.showModel(path, {m_stage.engine.inspect(path.toStdString()).value(), {}, {}, 0});
    const auto sliders = details.findChildren<QSlider*>();
    const auto layers = std::find_if(sliders.begin(), sliders.end(),
        [](const QSlider* slider) { return slider->accessibleName() == QStringLiteral("GPU layers"); });
    ASSERT_NE(layers, sliders.end());
    const auto shows = [&](const QString& text) {
        const auto labels = details.findChildren<QLabel*>();
        return std::any_of(labels.begin(), labels.end(),
            [&](const QLabel* label) { return label->isVisible() && label->text().contains(text); });
    };
    ASSERT_TRUE(Stage::waitFor([&] { return (*layers)->isVisible(); })) << "a GPU was found";
    EXPECT_TRUE(shows(QStringLiteral("automatic")));
    EXPECT_EQ(details.config().gpu_layers, -1);
    (*layers)->setValue(12);
    EXPECT_TRUE(shows(QStringLiteral("12 of 40")));
    EXPECT_EQ(details.config().gpu_layers, 12);
    EXPECT_TRUE(Stage::waitFor(
        [&] { return shows(QStringLiteral("12 layers on cuda:0")) && shows(QStringLiteral("28 layers on cpu")); }));
    m_stage.settings.set(keys::kDevice, QStringLiteral("cpu"));
    (*layers)->setValue(13);
    EXPECT_FALSE((*layers)->isVisible());
    EXPECT_EQ(details.config().gpu_layers, -1) << "no layer is asked of a GPU that the settings exclude";
}

TEST_F(ModelsTest, LoadKeepsTheOptionsOfTheModel) {
    ModelDetails details(m_stage.theme, m_stage.client, m_stage.settings);
    const QString path = modelFile(QStringLiteral("SmolLM2-135M-Instruct.Q4_1"));
    const ModelFacts facts{m_stage.engine.inspect(path.toStdString()).value(), {}, {}, 0};
    details.showModel(path, facts);
    for (QRadioButton* button : details.findChildren<QRadioButton*>())
        if (button->text() == QStringLiteral("Q8_0"))
            button->click();
    details.load();
    ASSERT_TRUE(Stage::waitFor([&] { return m_stage.client.model()->info.path == path.toStdString(); }));
    EXPECT_EQ(m_stage.client.model()->config.quantize, "q8_0");
    ModelDetails again(m_stage.theme, m_stage.client, m_stage.settings);
    again.showModel(path, facts);
    EXPECT_EQ(again.config().quantize, "q8_0");
    EXPECT_GT(m_stage.settings.modelLastUsed(path), 0);
}

TEST_F(ModelsTest, FailedLoadSaysTheCauseAndThatTheOldModelAnswers) {
    ModelDetails details(m_stage.theme, m_stage.client, m_stage.settings);
    const QString path = modelFile(QStringLiteral("SmolLM2-135M-Instruct.Q4_1"));
    details.showModel(path, {m_stage.engine.inspect(path.toStdString()).value(), {}, {}, 0});
    m_stage.engine.fail_load(
        {ErrorCode::out_of_memory, "needs 15.87 GiB, 14.90 GiB are free", "Choose a smaller context."});
    details.load();
    auto* banner = details.findChild<ErrorBanner*>();
    ASSERT_TRUE(Stage::waitFor([&] { return !banner->isHidden(); }));
    EXPECT_TRUE(banner->title().contains(QStringLiteral("needs 15.87 GiB, 14.90 GiB are free")));
    EXPECT_TRUE(banner->cause().contains(QStringLiteral("Choose a smaller context.")));
    EXPECT_TRUE(banner->cause().contains(QStringLiteral("Qwen3-14B stays loaded")));
}

TEST_F(ModelsTest, PageListsTheDataFolderAndAFileOpenedFromElsewhere) {
    const QString elsewhere = m_stage.dir.filePath(QStringLiteral("Other.Q4_0.gguf"));
    touch(elsewhere);
    m_stage.engine.fail_inspect("Mistral", {ErrorCode::bad_file, "wrong magic", "Fetch it again."});
    ModelsPage page({m_stage.theme, m_stage.client, m_stage.settings, m_stage.dialogs, m_stage.dataDir, m_downloads,
        m_quantization, m_opened});
    page.resize(1200, 700);
    page.show();
    page.openFile(elsewhere);
    ModelListModel& list = page.list();
    ASSERT_TRUE(Stage::waitFor([&] { return page.details().path() == elsewhere; }));
    const QString broken = modelFile(QStringLiteral("Mistral-7B-Instruct-v0.3.Q4_K_M"));
    ASSERT_TRUE(Stage::waitFor([&] { return !list.facts(broken).error.isEmpty(); }));
    EXPECT_EQ(list.index(list.rowOf(broken), ModelListModel::state).data().toString(), QStringLiteral("Failed"));
    EXPECT_EQ(list.paths().size(), 8);
    ModelsPage next({m_stage.theme, m_stage.client, m_stage.settings, m_stage.dialogs, m_stage.dataDir, m_downloads,
        m_quantization, m_opened}); // of a window that is made anew, in another language
    next.show();
    EXPECT_TRUE(Stage::waitFor([&] { return next.details().path() == elsewhere; })) << "listed and chosen again";
}

TEST_F(ModelsTest, PageListsAModelThatWasLoadedFromAnyFolder) {
    const QString elsewhere = m_stage.dir.filePath(QStringLiteral("Other.Q4_0.gguf"));
    touch(elsewhere);
    ModelsPage page({m_stage.theme, m_stage.client, m_stage.settings, m_stage.dialogs, m_stage.dataDir, m_downloads,
        m_quantization, m_opened});
    page.show();
    ModelListModel& list = page.list();
    ASSERT_TRUE(Stage::waitFor([&] { return list.rowCount() > 0; }));
    ASSERT_TRUE(m_stage.client.load(elsewhere, {}).has_value()); // as the command line does, with the page on screen
    ASSERT_TRUE(Stage::waitFor([&] { return list.rowOf(elsewhere) >= 0; }));
    ASSERT_TRUE(Stage::waitFor([&] {
        return list.index(list.rowOf(elsewhere), ModelListModel::state).data().toString() == QStringLiteral("Loaded");
    }));
}

TEST_F(ModelsTest, AnEmptyListSaysWhatToDo) {
    const QTemporaryDir bare;
    m_stage.settings.set(keys::kOtherApps, false);
    m_stage.engine.change([](engine::Snapshot& snapshot) { snapshot.model = nullptr; });
    m_stage.client.noteSnapshot(m_stage.engine.snapshot());
    ModelsPage page({m_stage.theme, m_stage.client, m_stage.settings, m_stage.dialogs, bare.path(), m_downloads,
        m_quantization, m_opened});
    page.resize(1200, 700);
    page.show();
    const auto shown = [&page](const QString& text) {
        for (const QWidget* widget : page.findChildren<QWidget*>())
            if (widget->isVisible() && widget->property("text").toString().startsWith(text))
                return true;
        return false;
    };
    ASSERT_TRUE(Stage::waitFor([&] { return shown(QStringLiteral("No model yet")); }));
    for (const char* way : {"Get a model", "Open a file", "Add a folder"})
        EXPECT_TRUE(shown(QLatin1String(way))) << way;
    page.openFile(modelFile(QStringLiteral("SmolLM2-135M-Instruct.Q4_1")));
    ASSERT_TRUE(Stage::waitFor([&] { return !page.list().paths().isEmpty(); }));
    EXPECT_FALSE(shown(QStringLiteral("No model yet")));
    SearchField* search = nullptr; // the panel that gets models has one too
    for (SearchField* field : page.findChildren<SearchField*>())
        if (field->accessibleName() == QStringLiteral("Search models"))
            search = field;
    ASSERT_NE(search, nullptr);
    search->setText(QStringLiteral("nothing like it"));
    EXPECT_TRUE(shown(QStringLiteral("No model is called “nothing like it”")));
    search->clear();
    EXPECT_FALSE(shown(QStringLiteral("No model is called")));
}

} // namespace
} // namespace vitrine::ui
