// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/lab: an experiment's form; experiment_results.cpp shows what came of it.
#include "ui/lab/experiment_view.h"

#include "ui/widgets/flow_layout.h"
#include "ui/widgets/fold_layout.h"
#include "ui/widgets/icon_button.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/numbers.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/selectable_text.h"
#include "ui/widgets/tile_layout.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QProgressBar>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace vitrine::ui {
namespace {

constexpr int kColumns = 3, kColumnWidth = 150; // of controls
constexpr int kQuestion = 280, kAnswers = 220; // widths of a guess; less for the answers, and they go below

/// Choices as buttons without a first one chosen: the user must choose.
class ChoiceRow final : public QWidget {
public:
    ChoiceRow(const Theme& theme, const LabGuess& guess, std::function<void()> changed) {
        auto* row = new FlowLayout(Measure::kSpace1, this); // many choices take two lines
        row->setContentsMargins(0, 0, 0, 0);
        setAccessibleName(guess.question);
        for (const LabChoice& choice : guess.choices) {
            auto* button = new Button(theme, choice.text);
            button->setCheckable(true);
            button->setProperty("size", "toolbar");
            button->setAccessibleName(guess.question + QStringLiteral(": ") + choice.text);
            connect(button, &Button::clicked, this, [this, key = choice.key, changed] {
                choose(key);
                changed();
            });
            row->addWidget(button);
            m_buttons.push_back({choice.key, button});
        }
    }
    /// A key; or, from a file of an older version, the text in this language.
    void choose(const QString& guess) {
        for (const auto& [key, button] : m_buttons) {
            const bool chosen = key == guess || button->text() == guess;
            button->setChecked(chosen);
            button->setKind(
                chosen ? Button::Kind::primary : Button::Kind::regular); // and the tick says it without colour
            button->setIconName(chosen ? QStringLiteral("check") : QString());
        }
    }
    [[nodiscard]] QString chosen() const {
        for (const auto& [key, button] : m_buttons)
            if (button->isChecked())
                return key;
        return {};
    }

private:
    std::vector<std::pair<QString, Button*>> m_buttons; // by key
};

} // namespace

ExperimentView::ExperimentView(const Theme& theme, const Experiment& experiment, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_experiment(experiment), m_questions(experiment.guesses()) {
    setProperty("surface", "page");
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(Measure::kSpace6, Measure::kSpace4, Measure::kSpace6, Measure::kSpace6);
    column->setSpacing(Measure::kSpace3);
    column->addWidget(makeLabel(experiment.title(), "section"));
    QLabel* question = makeLabel(experiment.question(), "label");
    question->setWordWrap(true);
    makeSelectable(*question);
    column->addWidget(question);
    buildControls(column);
    buildGuesses(column);
    buildButtons(column);
    m_results = new QWidget;
    m_results->setAttribute(Qt::WA_StyledBackground);
    m_results->setProperty("surface", "page");
    new QVBoxLayout(m_results);
    m_results->layout()->setContentsMargins(0, 0, 0, 0);
    m_results->hide();
    column->addWidget(m_results);
    column->addStretch();
    refreshRun();
}

QWidget* ExperimentView::makeControl(const LabControl& control) {
    const auto touched = [this] { m_touched = m_touched || !m_isFilling; };
    if (!control.choices.isEmpty()) {
        auto* box = new QComboBox;
        box->addItems(control.choices);
        connect(box, &QComboBox::currentIndexChanged, this, touched);
        return box;
    }
    auto* box = new QDoubleSpinBox;
    box->setDecimals(control.decimals);
    box->setRange(control.minimum, control.maximum);
    box->setSingleStep(control.step);
    box->setGroupSeparatorShown(true);
    if (!control.unit.isEmpty())
        box->setSuffix(u' ' + control.unit);
    connect(box, &QDoubleSpinBox::valueChanged, this, touched);
    return box;
}

void ExperimentView::buildControls(QVBoxLayout* column) {
    m_controls = new TileLayout(kColumns, Measure::kSpace4, Measure::kSpace2);
    column->addLayout(m_controls);
}

/// The name of a control above it; long choices are never cut.
QWidget* ExperimentView::makeField(const LabControl& control) {
    QWidget* widget = makeControl(control);
    widget->setAccessibleName(control.label);
    auto* field = new QWidget;
    auto* lines = new QVBoxLayout(field);
    lines->setContentsMargins(0, 0, 0, 0);
    lines->setSpacing(Measure::kSpace1);
    QLabel* label = makeLabel(control.label, "small");
    label->setWordWrap(true);
    label->setBuddy(widget);
    lines->addStretch(); // one line of fields, however long their names are
    lines->addWidget(label);
    lines->addWidget(widget);
    m_controlWidgets.insert(control.name, widget);
    return field;
}

void ExperimentView::setFacts(const LabFacts& facts) {
    const bool changed = facts.model != m_facts.model || m_controlWidgets.isEmpty();
    const bool isOtherTrace = facts.recording != m_facts.recording;
    m_facts = facts;
    setProblem(m_experiment.missing(facts));
    const std::vector<LabControl> controls = m_experiment.controls(facts);
    if (isOtherTrace)
        nameChoices(controls);
    if (!changed)
        return refreshRun();
    m_isFilling = true;
    const bool build = m_controlWidgets.isEmpty();
    QMap<QString, double> values;
    for (const LabControl& control : controls) {
        if (build) {
            m_controls->addWidget(makeField(control));
        } else if (auto* box = qobject_cast<QDoubleSpinBox*>(m_controlWidgets.value(control.name))) {
            box->setRange(control.minimum, control.maximum);
        }
        values.insert(control.name, control.value);
    }
    if (!m_touched) // else what was chosen stays, within the ranges of this model
        setSettings(values);
    m_isFilling = false;
    refreshRun();
}

void ExperimentView::nameChoices(const std::vector<LabControl>& controls) {
    for (const LabControl& control : controls)
        if (auto* box = qobject_cast<QComboBox*>(m_controlWidgets.value(control.name)))
            for (int i = 0; i < std::min<int>(box->count(), static_cast<int>(control.choices.size())); ++i)
                box->setItemText(i, control.choices[i]);
}

void ExperimentView::buildGuesses(QVBoxLayout* column) {
    column->addSpacing(Measure::kSpace2);
    column->addWidget(makeLabel(tr("Your guess first"), "strong"));
    auto* rows = new QVBoxLayout;
    rows->setSpacing(Measure::kSpace2);
    column->addLayout(rows);
    for (const LabGuess& guess : m_questions) {
        QLabel* label = makeLabel(guess.question, "label");
        label->setWordWrap(true);
        auto* row = new FoldLayout(Measure::kSpace4, FoldLayout::Grows::second);
        const auto measure = [this, row] {
            row->setFirstWidth(m_theme.px(kQuestion));
            row->setRoom(m_theme.px(kAnswers));
        };
        measure();
        connect(&m_theme, &Theme::changed, label, measure);
        row->addWidget(label);
        QWidget* widget = nullptr;
        if (!guess.choices.isEmpty()) {
            widget = new ChoiceRow(m_theme, guess, [this] { refreshRun(); });
        } else {
            auto* edit = new QLineEdit;
            edit->setMaximumWidth(m_theme.px(120));
            edit->setMaxLength(12);
            edit->setAccessibleName(guess.question + u' ' + guess.unit);
            connect(edit, &QLineEdit::textChanged, this, [this] { refreshRun(); });
            widget = edit;
        }
        m_guessWidgets.insert(guess.name, widget);
        if (guess.choices.isEmpty()) {
            auto* number = new QHBoxLayout; // the unit stays in sight when the field is filled
            number->setSpacing(Measure::kSpace2);
            number->addWidget(widget);
            number->addWidget(makeLabel(guess.unit, "hint"));
            number->addStretch();
            row->addPart(number);
        } else {
            row->addWidget(widget);
        }
        rows->addLayout(row);
    }
}

void ExperimentView::buildButtons(QVBoxLayout* column) {
    m_problem = makeLabel({}, "label");
    m_problem->setWordWrap(true);
    makeSelectable(*m_problem);
    setStyleProperty(m_problem, "tone", "warn");
    m_problem->hide();
    column->addWidget(m_problem);
    auto* row = new FlowLayout(Measure::kSpace2);
    m_run = new Button(m_theme, tr("Run"), Button::Kind::primary, QStringLiteral("play"));
    connect(m_run, &Button::clicked, this, &ExperimentView::runRequested);
    row->addWidget(m_run);
    m_stop = new Button(m_theme, tr("Stop"), Button::Kind::regular, QStringLiteral("stop"));
    connect(m_stop, &Button::clicked, this, &ExperimentView::stopRequested);
    m_stop->hide();
    row->addWidget(m_stop);
    m_skip = new Button(m_theme, tr("Skip the guesses"), Button::Kind::link);
    connect(m_skip, &Button::clicked, this, [this] {
        m_skipped = true;
        refreshRun();
    });
    row->addWidget(m_skip);
    m_hint = makeLabel({}, "hint");
    row->addWidget(m_hint);
    m_progress = new QProgressBar;
    m_progress->setTextVisible(false);
    m_progress->setRange(0, 1000);
    m_progress->setMaximumWidth(m_theme.px(200));
    m_progress->setAccessibleName(tr("Progress of the experiment"));
    m_progress->hide();
    row->addWidget(m_progress);
    m_state = makeLabel({}, "hint");
    row->addWidget(m_state);
    column->addLayout(row);
}

QMap<QString, double> ExperimentView::settings() const {
    QMap<QString, double> values;
    for (auto it = m_controlWidgets.cbegin(); it != m_controlWidgets.cend(); ++it) {
        if (const auto* number = qobject_cast<const QDoubleSpinBox*>(it.value()))
            values.insert(it.key(), number->value());
        else if (const auto* choice = qobject_cast<const QComboBox*>(it.value()))
            values.insert(it.key(), choice->currentIndex());
    }
    return values;
}

void ExperimentView::setSettings(const QMap<QString, double>& settings) {
    for (auto it = settings.cbegin(); it != settings.cend(); ++it) {
        QWidget* widget = m_controlWidgets.value(it.key());
        if (auto* number = qobject_cast<QDoubleSpinBox*>(widget))
            number->setValue(it.value());
        else if (auto* choice = qobject_cast<QComboBox*>(widget))
            choice->setCurrentIndex(std::clamp(static_cast<int>(it.value()), 0, choice->count() - 1));
    }
}

/// What is wrong with a number that was typed; empty: nothing, or nothing typed.
QString ExperimentView::guessProblem(const LabGuess& guess) const {
    const auto* edit = qobject_cast<const QLineEdit*>(m_guessWidgets.value(guess.name));
    const QString text = edit != nullptr ? edit->text().trimmed() : QString();
    bool isNumber = false;
    const double number = QLocale().toDouble(text, &isNumber);
    if (text.isEmpty() || (isNumber && number >= 0 && number <= guess.maximum))
        return {};
    return tr("“%1” is no number from 0 to %2. Correct it, or skip the guesses.")
        .arg(text, countText(std::llround(guess.maximum)));
}

QMap<QString, QString> ExperimentView::guesses() const {
    QMap<QString, QString> values;
    for (const LabGuess& guess : m_questions) {
        const QWidget* widget = m_guessWidgets.value(guess.name);
        QString value;
        if (const auto* choice = dynamic_cast<const ChoiceRow*>(widget)) {
            value = choice->chosen();
        } else if (const auto* edit = qobject_cast<const QLineEdit*>(widget)) {
            bool isNumber = false;
            const double number = QLocale().toDouble(edit->text().trimmed(), &isNumber);
            if (isNumber && guessProblem(guess).isEmpty())
                value = QString::number(number);
        }
        if (!value.isEmpty())
            values.insert(guess.name, value);
    }
    return values;
}

void ExperimentView::setGuess(const QString& name, const QString& value) {
    QWidget* widget = m_guessWidgets.value(name);
    if (auto* choice = dynamic_cast<ChoiceRow*>(widget))
        choice->choose(value);
    else if (auto* edit = qobject_cast<QLineEdit*>(widget))
        edit->setText(guessNumber(value));
    refreshRun();
}

void ExperimentView::fill(const Filled& filled) {
    if (filled.touched) // else they follow the model
        setSettings(filled.settings);
    m_touched = filled.touched;
    m_skipped = filled.skipped;
    for (auto it = filled.guesses.cbegin(); it != filled.guesses.cend(); ++it)
        setGuess(it.key(), it.value());
    refreshRun();
}

bool ExperimentView::canRun() const {
    return !m_isRunning && m_experiment.missing(m_facts).isEmpty() &&
        (m_skipped || guesses().size() == static_cast<qsizetype>(m_questions.size()));
}

void ExperimentView::refreshRun() {
    m_run->setEnabled(canRun());
    m_run->setVisible(!m_isRunning);
    m_stop->setVisible(m_isRunning);
    const auto open = static_cast<qsizetype>(m_questions.size()) - guesses().size();
    QString wrong;
    for (const LabGuess& guess : m_questions) {
        const QString problem = guessProblem(guess);
        if (auto* edit = qobject_cast<QLineEdit*>(m_guessWidgets.value(guess.name)))
            setStyleProperty(edit, "invalid", problem.isEmpty() ? "false" : "true");
        wrong = wrong.isEmpty() ? problem : wrong;
    }
    const bool waits = !m_isRunning && open > 0 && !m_skipped && m_experiment.missing(m_facts).isEmpty();
    m_hint->setText(!waits     ? QString()
            : !wrong.isEmpty() ? wrong
                               : tr("%n guess(es) to go", nullptr, static_cast<int>(open))
                                     .replace(QStringLiteral("guess(es)"),
                                         open == 1 ? QStringLiteral("guess") : QStringLiteral("guesses")));
    m_skip->setVisible(waits);
}

void ExperimentView::setRunning(bool running) {
    const bool hadFocus = m_run->hasFocus() || m_stop->hasFocus();
    m_isRunning = running;
    m_progress->setVisible(running);
    m_progress->setValue(0);
    if (!running)
        m_state->clear();
    for (QWidget* widget : m_controlWidgets)
        widget->setEnabled(!running);
    for (QWidget* widget : m_guessWidgets)
        widget->setEnabled(!running);
    refreshRun();
    if (hadFocus) // the button that had it is hidden now
        (running ? m_stop : m_run)->setFocus();
}

void ExperimentView::setProgress(const QString& what, double fraction) {
    m_state->setText(what);
    m_progress->setValue(static_cast<int>(std::clamp(fraction, 0.0, 1.0) * 1000));
}

void ExperimentView::setProblem(const QString& problem) {
    m_problem->setText(problem);
    m_problem->setVisible(!problem.isEmpty());
}

} // namespace vitrine::ui
