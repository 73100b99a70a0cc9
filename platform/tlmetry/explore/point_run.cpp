// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/explore/point_run.hpp"

#include <tlmetry/account/account.hpp>
#include <tlmetry/base/error.hpp>
#include <tlmetry/base/quantity.hpp>
#include <tlmetry/explore/digest.hpp>
#include <tlmetry/explore/model_digest.hpp>
#include <tlmetry/report/arithmetic.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>

namespace tlmetry::explore {

namespace {

/// Changes when the same result looks another way.
constexpr const char* result_format = "point 1";

std::string json_array(const std::vector<Value>& values) {
    nlohmann::ordered_json array = nlohmann::ordered_json::array();
    for (const Value& value : values)
        array.push_back(page::cell_json(value));
    return array.dump();
}

/// The identities of all endpoints.
std::string broken_identity(const account::Outcome& outcome) {
    account::Account account;
    account.seconds = outcome.seconds;
    account.counts = outcome.counts;
    return account.broken_identity();
}

}  // namespace

PointRun::PointRun(const Plan& plan, const Point& point) : m_plan(plan) {
    try {
        plan.configure(point, m_parameters);
        m_card = m_parameters.parameters().card_config();
        if (m_parameters.parameters().duration_fs == 0)
            throw UserError("run.duration: expected a time above 0s, found 0s");
        const Method& method = plan.method();
        if (method.precision != 0 && method.longest_fs < m_parameters.parameters().duration_fs) {
            throw UserError(
                "run.duration: expected at most explore.longest = " + format_time(method.longest_fs) +
                ", found " + format_time(m_parameters.parameters().duration_fs));
        }
    } catch (const UserError& error) {
        m_error = error.what();
    }
    m_key = make_key();
}

std::string PointRun::make_key() const {
    Digest digest;
    digest.add(result_format).add(TLMETRY_VERSION).add(model_digest());
    for (const config::Parameter& parameter : m_parameters.registry().parameters())
        digest.add_parameter(parameter.name, parameter.text());
    for (const std::string& name : m_plan.outputs())
        digest.add(name);
    digest.add(report::shortest(m_plan.method().precision));
    if (m_plan.method().precision != 0) digest.add(std::to_string(m_plan.method().longest_fs));
    digest.add(m_error);
    return digest.hex();
}

Result PointRun::run(time_fs duration_fs) const {
    Result result;
    const auto start = std::chrono::steady_clock::now();
    const app::RunParameters& parameters = m_parameters.parameters();
    const Picker picker(m_plan.outputs());
    account::Method method{parameters.warmup_fs, parameters.duration_fs, picker.wants("latency"),
                           m_plan.method().precision, m_plan.method().longest_fs};
    if (duration_fs != 0) {
        method.warmup_fs = std::min(method.warmup_fs, duration_fs);
        method.duration_fs = duration_fs;
        method.precision = 0;
    }
    try {
        if (!m_error.empty()) throw UserError(m_error);
        const account::Outcome outcome = account::run_experiment(m_card, method);
        const std::string broken = broken_identity(outcome);
        if (broken.empty()) {
            result.values = json_array(picker.pick({parameters, m_card, outcome}));
        } else {
            result.error = "internal error: the accounts do not balance: " + broken;
            result.settled = false;
        }
    } catch (const UserError& error) {
        result.error = error.what();
    } catch (const std::exception& error) {
        result.error = std::string("internal error: ") + error.what();
        result.settled = false;
    }
    for (const config::Parameter& parameter : m_parameters.registry().parameters()) {
        if (!names_a_file(parameter.name) || !has_changed(parameter.text())) continue;
        result = {};
        result.error =
            parameter.name + ": expected " + parameter.text() +
            " to stay as it was when the plan was read, found it changed; the next run takes it up";
        result.settled = false;
    }
    result.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return result;
}

}  // namespace tlmetry::explore
