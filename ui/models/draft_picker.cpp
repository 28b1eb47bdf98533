// SPDX-License-Identifier: GPL-3.0-or-later
// Vitrine ui/models: rows of who drafts.
#include "ui/models/draft_picker.h"

#include "ui/widgets/labels.h"

#include <QButtonGroup>
#include <QFileInfo>
#include <QLabel>
#include <QRadioButton>
#include <QVBoxLayout>

#include <algorithm>

namespace vitrine::ui {
namespace {

constexpr std::size_t kNumFixed = 2; // nobody, n-gram
constexpr int kReasonIndent = 28; // under the words beside the mark

} // namespace

DraftPicker::DraftPicker(const Theme&, QWidget* parent)
    : QWidget(parent), m_group(new QButtonGroup(this)), m_column(new QVBoxLayout(this)) {
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(6);
    m_column->addWidget(makeLabel(tr("Draft model"), "smallStrong"));
    add({}, tr("None"));
    add(QStringLiteral("ngram"), tr("n-gram, no model"));
    m_rows[0].button->setChecked(true);
    connect(m_group, &QButtonGroup::idClicked, this, [this] { emit chosenChanged(chosen()); });
}

void DraftPicker::add(const QString& draft, const QString& name) {
    auto* box = new QWidget;
    auto* lines = new QVBoxLayout(box);
    lines->setContentsMargins(0, 0, 0, 0);
    lines->setSpacing(2);
    Row row{draft, box, new QRadioButton(name), makeLabel({}, "small")};
    row.button->setToolTip(draft.contains(u'/') ? draft : QString());
    row.reason->setWordWrap(true);
    row.reason->setIndent(kReasonIndent);
    row.reason->hide();
    setStyleProperty(row.reason, "tone", "warn");
    lines->addWidget(row.button);
    lines->addWidget(row.reason);
    m_group->addButton(row.button, static_cast<int>(m_rows.size()));
    m_column->addWidget(box);
    m_rows.push_back(row);
}

void DraftPicker::setCandidates(const std::vector<Candidate>& candidates) {
    const QString before = chosen();
    while (m_rows.size() > kNumFixed) {
        m_group->removeButton(m_rows.back().button);
        m_rows.back().box->deleteLater();
        m_rows.back().box->hide();
        m_rows.pop_back();
    }
    for (const Candidate& candidate : candidates)
        add(candidate.path, candidate.name);
    setChosen(before);
}

QStringList DraftPicker::candidatePaths() const {
    QStringList paths;
    for (std::size_t i = kNumFixed; i < m_rows.size(); ++i)
        paths += m_rows[i].draft;
    return paths;
}

void DraftPicker::setReason(const QString& path, const QString& reason) {
    for (const Row& row : m_rows) {
        if (row.draft != path)
            continue;
        row.reason->setText(reason.isEmpty() ? QString() : reason.left(1).toUpper() + reason.mid(1));
        row.reason->setVisible(!reason.isEmpty());
        row.button->setEnabled(reason.isEmpty() || row.button->isChecked());
    }
}

void DraftPicker::setChosen(const QString& draft) {
    auto row = std::find_if(m_rows.begin(), m_rows.end(), [&draft](const Row& known) { return known.draft == draft; });
    if (row == m_rows.end()) {
        add(draft, QFileInfo(draft).completeBaseName());
        row = std::prev(m_rows.end());
    }
    row->button->setChecked(true);
}

QString DraftPicker::chosen() const {
    return m_rows[static_cast<std::size_t>(std::max(0, m_group->checkedId()))].draft;
}

bool DraftPicker::isModelChosen() const {
    return m_group->checkedId() >= static_cast<int>(kNumFixed);
}

} // namespace vitrine::ui
