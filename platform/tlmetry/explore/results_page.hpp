// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/explore/outputs.hpp>
#include <tlmetry/explore/page_axis.hpp>
#include <tlmetry/explore/page_plots.hpp>
#include <tlmetry/explore/plan.hpp>
#include <tlmetry/explore/store.hpp>
#include <tlmetry/page/charts.hpp>
#include <tlmetry/page/table.hpp>

#include <string>
#include <vector>

namespace tlmetry::explore {

/// The page of the results of a plan (docs/explore.md, The page). Of many points it has what they have in
/// common, and some of them one by one.
class ResultsPage {
public:
    /// `outputs` are those of the plan; `command` is what prints the configuration of a point when its number
    /// follows. Throws UserError for a mistake in the section [page].
    ResultsPage(const Plan& plan, const std::vector<Output>& outputs, std::string command);

    /// With a table of what has been found, if there is one.
    std::string html(Store& store, const page::Table* found = nullptr) const;

private:
    page::Json head(const std::vector<PageAxis>& axes) const;
    page::Json plots(const std::vector<PageAxis>& axes) const;
    void add_points(page::Json& to, Store& store, const std::vector<PageAxis>& axes) const;
    void add_aggregates(page::Json& to, Store& store, const std::vector<PageAxis>& axes,
                        std::size_t axes_each) const;

    const Plan& m_plan;
    const std::vector<Output>& m_outputs;
    std::string m_command;
    PageSettings m_settings;
};

}  // namespace tlmetry::explore
