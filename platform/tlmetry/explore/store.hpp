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
/// at a time.
class Store {
public:
    /// Opens it, or makes folder and store. Throws UserError when another process has it open, and for a
    /// folder or file that cannot be used.
    explicit Store(const std::string& folder);
    ~Store() = default;
    Store(const Store&) = delete;
    Store& operator=(const Store&) = delete;

    const std::string& folder() const { return m_folder; }

    /// From now on indices are those of this plan. Results that are not settled are forgotten.
    void begin(const Plan& plan);

    /// A result is there for the point of this index.
    bool has_point(std::uint64_t index);
    bool has_key(const std::string& key);
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

private:
    class Statement;
    struct Close {
        void operator()(sqlite3* database) const;
    };
    /// Of the file with this descriptor, as long as it lives.
    struct Lock {
        Lock() = default;
        ~Lock();
        Lock(const Lock&) = delete;
        Lock& operator=(const Lock&) = delete;
        int descriptor = -1;
    };

    void lock();
    void run(const char* sql);

    std::string m_folder;
    std::string m_file;
    Lock m_lock;
    std::unique_ptr<sqlite3, Close> m_database;
};

}  // namespace tlmetry::explore
