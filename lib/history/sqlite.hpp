// The little of SQLite that the history needs, with owned handles.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace kwb {

/// A call of SQLite failed. what() is its own sentence: "database or disk is full".
class SqliteError : public std::runtime_error {
public:
    SqliteError(int code, const std::string& message) : std::runtime_error(message), code_(code) {}

    /// The file's content is at fault, not the place, the disk or another program.
    bool is_damage() const;
    /// A statement does not fit the tables of the file.
    bool is_misfit() const;

private:
    int code_;  ///< primary result code
};

/// One connection. Moves by std::unique_ptr; statements must not outlive it.
class Database {
public:
    /// @param path  made if missing; empty: in memory. Write-protected files are opened for reading.
    /// @throws SqliteError  it cannot be opened. Whether it is a database shows only at the first statement.
    explicit Database(const std::filesystem::path& path);
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;
    ~Database();

    /// Run statements that return nothing.
    void execute(const char* statements);

    /// The number that a statement without parameters returns.
    std::int64_t number(const char* statement);

    std::int64_t last_id() const;
    bool is_read_only() const;
    sqlite3* get() const { return handle_; }

private:
    sqlite3* handle_ = nullptr;
};

/// A statement under way. Every function throws SqliteError.
class Statement {
public:
    Statement(Database& database, std::string_view text);
    Statement(const Statement&) = delete;
    Statement& operator=(const Statement&) = delete;
    ~Statement();

    /// Give the next parameter, in the order of the question marks. Texts are copied.
    Statement& with(std::int64_t value);
    Statement& with(const std::optional<double>& value);
    Statement& with(std::string_view text);
    Statement& with_blob(std::string_view bytes);

    /// @return  true: a row can be read; false: that was all
    bool step();
    /// For statements that return nothing.
    void run() {
        while (step()) {
        }
    }
    /// Ready for other parameters.
    void reset();

    std::int64_t integer(int column) const;
    std::optional<double> number(int column) const;
    std::string text(int column) const;  ///< of blobs too

private:
    void check(int code) const;
    Database& database_;
    sqlite3_stmt* handle_ = nullptr;
    int bound_ = 0;
};

/// Everything until commit() counts as one; without it nothing happened.
class Transaction {
public:
    enum class Kind { Read, Write };
    Transaction(Database& database, Kind kind);
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;
    ~Transaction();
    void commit();

private:
    Database& database_;
    bool open_ = true;
};

}  // namespace kwb
