// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <tlmetry/explore/plan.hpp>
#include <tlmetry/explore/point_run.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

struct sqlite3;
struct sqlite3_stmt;

namespace tlmetry::explore {

/// The results of an exploration in its folder: `results.sqlite`. However the program ends, every result that
/// was put is there the next time; when the machine ends, all but the last ones. Results are kept by the key
/// of their point, whatever plan asked for them; which key a point has is kept for one plan. For one process
/// at a time, on whatever machine it is.
class Store {
public:
    /// What to do when another process has it open.
    enum class IfBusy { refuse, wait };

    /// Opens it, or makes folder and store. Throws UserError when another process has it open, unless it
    /// waits for its end, and for a folder or file that cannot be used.
    explicit Store(const std::string& folder, IfBusy if_busy = IfBusy::refuse);
    ~Store() = default;
    Store(const Store&) = delete;
    Store& operator=(const Store&) = delete;

    const std::string& folder() const { return m_folder; }

    /// From now on indices are those of this plan. Results that are not settled are forgotten.
    void begin(const Plan& plan);

    /// A result is there for the point of this index.
    bool has_point(std::uint64_t index);
    bool has_key(const std::string& key);
    /// There is one that the next plan does not forget either.
    bool has_settled(const std::string& key);
    /// Points without a result are among these.
    bool lacks(const Points& points);
    /// There are results of keys that no point of the plan is known to have.
    bool has_others();
    /// The point of this index has this key.
    void place(std::uint64_t index, const std::string& key);
    void put(std::uint64_t index, const std::string& key, const Result& result);
    std::optional<Result> result(std::uint64_t index);

    /// Results of the plan in the order of their points.
    void each(const std::function<void(std::uint64_t index, const Result& result)>& visit);
    struct Count {
        std::uint64_t done = 0;
        std::uint64_t failed = 0;  ///< of those
    };
    Count count();

    /// Takes over the results of another store that nobody writes to, be they settled or not; and which
    /// points of the plan they are, if it has begun the same one.
    void take_over(const std::string& file);
    /// The same of the store in a folder, if there is one. False if another process works on it.
    bool take_over_folder(const std::string& folder);

private:
    class Statement;
    struct Close {
        void operator()(sqlite3* database) const;
    };
    /// Of a folder, as long as it lives.
    class Lock {
    public:
        /// Throws UserError if the folder cannot be locked at all.
        explicit Lock(const std::string& folder);
        ~Lock();
        Lock(const Lock&) = delete;
        Lock& operator=(const Lock&) = delete;

        /// False if another process has it.
        bool acquire(IfBusy if_busy) const;
        std::string holder() const;

    private:
        [[noreturn]] void fail() const;

        std::string m_file;
        int m_descriptor = -1;
    };

    void remove_unfinished_files() const;
    void run(const char* sql);

    std::string m_folder;
    std::string m_file;
    std::unique_ptr<Lock> m_lock;
    std::unique_ptr<sqlite3, Close> m_database;
};

}  // namespace tlmetry::explore
