// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fstream>
#include <ostream>
#include <string>
#include <vector>

namespace tlmetry::app {

/// A file that an option names and results go to. Whether it can be written is looked at at once, so that
/// nobody waits for results that cannot be saved; it stays as it is until save() replaces it as a whole.
class OutputFile {
public:
    /// An empty `path` is no file. Throws UserError when it cannot be written.
    OutputFile(std::string option, std::string path);

    bool wanted() const { return !m_path.empty(); }

    /// Writes the file piece by piece. It must not outlive the OutputFile.
    class Writer {
    public:
        explicit Writer(const OutputFile& file);
        /// Without finish() the file stays as it was.
        ~Writer();
        Writer(const Writer&) = delete;
        Writer& operator=(const Writer&) = delete;

        std::ostream& stream() { return m_stream; }

        /// Throws UserError when not everything could be written. `reason` is the errno of what has failed,
        /// if the caller knows.
        void finish(int reason = 0);

    private:
        friend class OutputFile;
        std::string try_finish();

        const OutputFile& m_file;
        std::string m_written;
        std::ofstream m_stream;
        int m_reason = 0;  // errno of the first failure that is known
        bool m_done = false;
    };

    /// Throws UserError when `text` cannot be written.
    void save(const std::string& text) const;

    /// The same, but returns the sentence that save() throws; empty when all is written.
    std::string try_save(const std::string& text) const;

private:
    std::string failure(const std::string& why) const;

    std::string m_option;
    std::string m_path;
    bool m_replaced = false;  ///< else it is a device or pipe, and written to
};

/// A file and what names it: an option such as `option --stats`, or a parameter.
struct NamedFile {
    std::string name;
    std::string path;  ///< empty: none
};

/// Throws UserError if one of `written` would replace one of `read` or another of `written`. Devices and
/// pipes may serve several.
void require_own_files(const std::vector<NamedFile>& read, const std::vector<NamedFile>& written);

}  // namespace tlmetry::app
