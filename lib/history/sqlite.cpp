#include "history/sqlite.hpp"

#include <sqlite3.h>

namespace kwb {

namespace {

constexpr int kBusyTimeoutMs = 2000;

[[noreturn]] void fail(sqlite3* handle, int code) {
    throw SqliteError(code & 0xff, handle != nullptr ? sqlite3_errmsg(handle) : sqlite3_errstr(code));
}

}  // namespace

bool SqliteError::is_damage() const {
    return code_ == SQLITE_CORRUPT || code_ == SQLITE_NOTADB;
}

bool SqliteError::is_misfit() const {
    return code_ == SQLITE_ERROR;
}

Database::Database(const std::filesystem::path& path) {
    const std::string name = path.empty() ? ":memory:" : path.string();
    const int code =
        sqlite3_open_v2(name.c_str(), &handle_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
    if (code != SQLITE_OK) {
        const SqliteError error(code & 0xff, handle_ ? sqlite3_errmsg(handle_) : sqlite3_errstr(code));
        sqlite3_close(handle_);
        throw error;
    }
    sqlite3_busy_timeout(handle_, kBusyTimeoutMs);
    // The file may be anybody's: functions in its schema are not called, and broken cells are looked for.
    sqlite3_db_config(handle_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(handle_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_exec(handle_, "PRAGMA cell_size_check = ON; PRAGMA temp_store = MEMORY; PRAGMA foreign_keys = ON",
                 nullptr, nullptr, nullptr);
}

Database::~Database() {
    sqlite3_close(handle_);
}

void Database::execute(const char* statements) {
    if (const int code = sqlite3_exec(handle_, statements, nullptr, nullptr, nullptr); code != SQLITE_OK)
        fail(handle_, code);
}

std::int64_t Database::number(const char* statement) {
    Statement question(*this, statement);
    return question.step() ? question.integer(0) : 0;
}

std::int64_t Database::last_id() const {
    return sqlite3_last_insert_rowid(handle_);
}

bool Database::is_read_only() const {
    return sqlite3_db_readonly(handle_, "main") == 1;
}

Statement::Statement(Database& database, std::string_view text) : database_(database) {
    check(sqlite3_prepare_v2(database.get(), text.data(), static_cast<int>(text.size()), &handle_, nullptr));
}

Statement::~Statement() {
    sqlite3_finalize(handle_);
}

void Statement::check(int code) const {
    if (code != SQLITE_OK) fail(database_.get(), code);
}

Statement& Statement::with(std::int64_t value) {
    check(sqlite3_bind_int64(handle_, ++bound_, value));
    return *this;
}

Statement& Statement::with(const std::optional<double>& value) {
    check(value ? sqlite3_bind_double(handle_, ++bound_, *value) : sqlite3_bind_null(handle_, ++bound_));
    return *this;
}

Statement& Statement::with(std::string_view text) {
    check(sqlite3_bind_text64(handle_, ++bound_, text.empty() ? "" : text.data(), text.size(),
                              SQLITE_TRANSIENT, SQLITE_UTF8));
    return *this;
}

Statement& Statement::with_blob(std::string_view bytes) {
    check(sqlite3_bind_blob64(handle_, ++bound_, bytes.empty() ? "" : bytes.data(), bytes.size(),
                              SQLITE_TRANSIENT));
    return *this;
}

bool Statement::step() {
    const int code = sqlite3_step(handle_);
    if (code != SQLITE_ROW && code != SQLITE_DONE) fail(database_.get(), code);
    return code == SQLITE_ROW;
}

void Statement::reset() {
    sqlite3_reset(handle_);
    sqlite3_clear_bindings(handle_);
    bound_ = 0;
}

std::int64_t Statement::integer(int column) const {
    return sqlite3_column_int64(handle_, column);
}

std::optional<double> Statement::number(int column) const {
    if (sqlite3_column_type(handle_, column) == SQLITE_NULL) return std::nullopt;
    return sqlite3_column_double(handle_, column);
}

std::string Statement::text(int column) const {
    // Asked for as a blob, a text comes as it is stored, also with null bytes.
    const void* bytes = sqlite3_column_blob(handle_, column);
    const int size = sqlite3_column_bytes(handle_, column);
    return bytes != nullptr ? std::string(static_cast<const char*>(bytes), static_cast<std::size_t>(size))
                            : "";
}

Transaction::Transaction(Database& database, Kind kind) : database_(database) {
    database_.execute(kind == Kind::Write ? "BEGIN IMMEDIATE" : "BEGIN");
}

Transaction::~Transaction() {
    // Some failures, such as a full disk, have ended the transaction already.
    if (open_) sqlite3_exec(database_.get(), "ROLLBACK", nullptr, nullptr, nullptr);
}

void Transaction::commit() {
    database_.execute("COMMIT");
    open_ = false;
}

}  // namespace kwb
