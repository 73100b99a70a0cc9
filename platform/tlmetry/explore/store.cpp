// SPDX-License-Identifier: BSD-3-Clause
#include "tlmetry/explore/store.hpp"

#include <tlmetry/base/error.hpp>

#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace tlmetry::explore {

namespace {

constexpr const char* file_name = "results.sqlite";
// Nobody else has it open, and then it works on the file systems of several machines, too.
constexpr const char* tables = R"(
    PRAGMA locking_mode = EXCLUSIVE;
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    CREATE TABLE IF NOT EXISTS result (key TEXT PRIMARY KEY, error TEXT NOT NULL, settled INTEGER NOT NULL,
                                       value TEXT NOT NULL, wall_s REAL NOT NULL) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS point (number INTEGER PRIMARY KEY, key TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS plan (digest TEXT NOT NULL);
)";

}  // namespace

/// One statement in use. Text goes in by bind() in the order of the question marks.
class Store::Statement {
public:
    Statement(const Store& store, const char* sql) : m_store(store) {
        if (sqlite3_prepare_v2(store.m_database.get(), sql, -1, &m_statement, nullptr) != SQLITE_OK) fail();
    }
    ~Statement() { sqlite3_finalize(m_statement); }
    Statement(const Statement&) = delete;
    Statement& operator=(const Statement&) = delete;

    Statement& bind(const std::string& text) {
        sqlite3_bind_text(m_statement, ++m_bound, text.data(), static_cast<int>(text.size()),
                          SQLITE_TRANSIENT);
        return *this;
    }
    Statement& bind(std::uint64_t value) {
        sqlite3_bind_int64(m_statement, ++m_bound, static_cast<sqlite3_int64>(value));
        return *this;
    }
    Statement& bind(double value) {
        sqlite3_bind_double(m_statement, ++m_bound, value);
        return *this;
    }

    /// True as long as there is a row.
    bool step() {
        const int code = sqlite3_step(m_statement);
        if (code != SQLITE_ROW && code != SQLITE_DONE) fail();
        return code == SQLITE_ROW;
    }
    std::string text(int column) const {
        const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(m_statement, column));
        return text == nullptr ? "" : text;
    }
    std::uint64_t integer(int column) const {
        return static_cast<std::uint64_t>(sqlite3_column_int64(m_statement, column));
    }
    double real(int column) const { return sqlite3_column_double(m_statement, column); }

    Result result(int column) const {
        return {text(column), integer(column + 1) != 0, text(column + 2), real(column + 3)};
    }

private:
    [[noreturn]] void fail() const {
        throw UserError("results " + m_store.m_file + ": " + sqlite3_errmsg(m_store.m_database.get()));
    }

    const Store& m_store;
    sqlite3_stmt* m_statement = nullptr;
    int m_bound = 0;
};

Store::Store(const std::string& folder, IfBusy if_busy) : m_folder(folder), m_file(folder + "/" + file_name) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    std::error_code unknown;
    if (!std::filesystem::is_directory(folder, unknown))
        throw UserError("results: cannot make the folder " + folder + (error ? ": " + error.message() : ""));
    m_lock = std::make_unique<Lock>(folder);
    if (!m_lock->acquire(if_busy))
        throw UserError("results: expected a folder that nothing else works on, found " + folder +
                        ", on which " + m_lock->holder() + " does");
    remove_unfinished_files();
    sqlite3* database = nullptr;
    const int code = sqlite3_open(m_file.c_str(), &database);
    m_database.reset(database);
    if (code != SQLITE_OK)
        throw UserError("results " + m_file + " cannot be opened: " + sqlite3_errmsg(database));
    sqlite3_busy_timeout(database, 10'000);
    run(tables);
}

/// Of a program that was killed while it wrote result files; nobody else works on the folder.
void Store::remove_unfinished_files() const {
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(m_folder, ignored)) {
        const std::string name = entry.path().filename().string();
        const bool of_results = name.compare(0, 8, "results.") == 0 || name.compare(0, 5, "find.") == 0 ||
                                name.compare(0, 8, "summary.") == 0;
        if (of_results && name.find(".part-") != name.npos) std::filesystem::remove(entry.path(), ignored);
    }
}

void Store::Close::operator()(sqlite3* database) const {
    sqlite3_close(database);
}

/// Children of the process do not inherit this lock, so it ends with the process.
Store::Lock::Lock(const std::string& folder) : m_file(folder + "/lock") {
    m_descriptor = open(m_file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (m_descriptor < 0) fail();
}

Store::Lock::~Lock() {
    if (m_descriptor >= 0) close(m_descriptor);
}

bool Store::Lock::acquire(IfBusy if_busy) const {
    struct flock whole = {};
    whole.l_type = F_WRLCK;
    if (fcntl(m_descriptor, if_busy == IfBusy::wait ? F_SETLKW : F_SETLK, &whole) == 0) return true;
    if (errno != EACCES && errno != EAGAIN) fail();
    return false;
}

std::string Store::Lock::holder() const {
    struct flock holder = {};
    holder.l_type = F_WRLCK;
    fcntl(m_descriptor, F_GETLK, &holder);
    return "process " + std::to_string(holder.l_pid);
}

void Store::Lock::fail() const {
    throw UserError("results: " + m_file + " cannot be locked: " + std::strerror(errno));
}

void Store::run(const char* sql) {
    char* message = nullptr;
    if (sqlite3_exec(m_database.get(), sql, nullptr, nullptr, &message) == SQLITE_OK) return;
    const std::string why = message == nullptr ? "" : message;
    sqlite3_free(message);
    throw UserError("results " + m_file + ": " + why);
}

void Store::begin(const Plan& plan) {
    run("BEGIN");
    run("DELETE FROM result WHERE settled = 0");
    Statement known(*this, "SELECT digest FROM plan");
    if (!known.step() || known.text(0) != plan.digest()) {
        run("DELETE FROM point; DELETE FROM plan");
        Statement(*this, "INSERT INTO plan VALUES (?)").bind(plan.digest()).step();
    }
    run("COMMIT");
}

bool Store::has_point(std::uint64_t index) {
    return Statement(*this, "SELECT 1 FROM point JOIN result USING (key) WHERE number = ?")
        .bind(index)
        .step();
}

bool Store::has_key(const std::string& key) {
    return Statement(*this, "SELECT 1 FROM result WHERE key = ?").bind(key).step();
}

bool Store::has_settled(const std::string& key) {
    return Statement(*this, "SELECT 1 FROM result WHERE key = ? AND settled").bind(key).step();
}

bool Store::lacks(const Points& points) {
    for (std::optional<std::uint64_t> index = points(); index; index = points()) {
        if (!has_point(*index)) return true;
    }
    return false;
}

bool Store::has_others() {
    return Statement(*this, "SELECT 1 FROM result WHERE key NOT IN (SELECT key FROM point)").step();
}

void Store::place(std::uint64_t index, const std::string& key) {
    Statement(*this, "INSERT OR REPLACE INTO point VALUES (?, ?)").bind(index).bind(key).step();
}

void Store::put(std::uint64_t index, const std::string& key, const Result& result) {
    run("BEGIN");
    place(index, key);
    Statement(*this, "INSERT OR REPLACE INTO result VALUES (?, ?, ?, ?, ?)")
        .bind(key)
        .bind(result.error)
        .bind(std::uint64_t{result.settled})
        .bind(result.values)
        .bind(result.wall_s)
        .step();
    run("COMMIT");
}

std::optional<Result> Store::result(std::uint64_t index) {
    Statement found(
        *this, "SELECT error, settled, value, wall_s FROM point JOIN result USING (key) WHERE number = ?");
    if (!found.bind(index).step()) return {};
    return found.result(0);
}

void Store::each(const std::function<void(std::uint64_t index, const Result& result)>& visit) {
    Statement all(
        *this,
        "SELECT number, error, settled, value, wall_s FROM point JOIN result USING (key) ORDER BY number");
    while (all.step())
        visit(all.integer(0), all.result(1));
}

Store::Count Store::count() {
    Statement all(*this, "SELECT COUNT(*), COALESCE(SUM(error <> ''), 0) FROM point JOIN result USING (key)");
    all.step();
    return {all.integer(0), all.integer(1)};
}

void Store::take_over(const std::string& file) {
    Statement(*this, "ATTACH ? AS other").bind(file).step();
    run(R"(INSERT OR IGNORE INTO result SELECT * FROM other.result;
           INSERT OR IGNORE INTO point SELECT * FROM other.point
               WHERE (SELECT digest FROM other.plan) = (SELECT digest FROM main.plan);
           DETACH other)");
}

bool Store::take_over_folder(const std::string& folder) {
    const std::string file = folder + "/" + file_name;
    if (!std::filesystem::exists(file)) return true;
    const Lock lock(folder);
    if (!lock.acquire(IfBusy::refuse)) return false;
    take_over(file);
    return true;
}

}  // namespace tlmetry::explore
