/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_SCENARIO_H
#define MESSAGING_SCENARIO_H

#include "ns3/messaging-registry.h"
#include "ns3/object.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * An experiment with parameters and results, declared once in ns-3's TypeId system.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * A named table of a scenario's results: columns of equal length, each of one type and with a unit.
 */
class Table : public Object
{
  public:
    /** The cells of one column. */
    using Cells = std::variant<std::vector<int64_t>, std::vector<double>, std::vector<std::string>>;

    /** A column. */
    struct Column
    {
        std::string name; ///< Name of the cells.
        std::string unit; ///< Their unit; empty for names and pure numbers.
        Cells cells;      ///< One cell a row.
    };

    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Append a column.
     * @param name name of the cells, unique in the table
     * @param unit their unit
     * @param cells one cell a row; as many as the columns before
     */
    void AddColumn(const std::string& name, const std::string& unit, Cells cells);

    /** @return all columns in the order added. */
    const std::vector<Column>& GetColumns() const
    {
        return m_columns;
    }

    /** @return the number of rows. */
    std::size_t GetNRows() const;

  private:
    std::vector<Column> m_columns; ///< All columns.
};

/**
 * Make a table of counts, with the columns Event and Count.
 * @param counts the counts with their names
 * @return the table
 */
Ptr<Table> MakeCountTable(const std::vector<std::pair<std::string, uint64_t>>& counts);

/** How a run ended. */
enum class Verdict : uint8_t
{
    NOT_RUN,     ///< Run has not been called.
    COMPLETED,   ///< Everything that was to happen has happened.
    LIVELOCK,    ///< The stated limit was reached without an end in sight.
    DEADLOCK,    ///< Nothing is pending and yet something is unfinished.
    UNREACHABLE, ///< Some message has no route to its destination.
    VIOLATED,    ///< The delivery audit has found a violation.
    FAILED       ///< The run could not be carried out; GetFailure returns the reason.
};

/**
 * Print a verdict by name.
 * @param os the stream
 * @param verdict the value
 * @return the stream
 */
std::ostream& operator<<(std::ostream& os, Verdict verdict);

/**
 * @ingroup messaging
 * Base of all experiments.
 *
 * A parameter is an attribute that can be set. A result is an attribute that can only be got
 * (TypeId::ATTR_GET). A table is a result that is a pointer to a Table. Help texts end in `[unit;
 * source]`. Command line, Python and documentation find all of it through TypeId.
 */
class Scenario : public Object
{
  public:
    /** A part that is chosen by name and has parameters of its own. */
    struct Part
    {
        std::string prefix;   ///< Prefix of its parameters, as in `network.Router`.
        std::string selector; ///< Attribute that holds its name.
        TypeId kind;          ///< Base class of the choices.
    };

    /** A table and its name. */
    using NamedTable = std::pair<std::string, Ptr<Table>>;

    /** Progress callback: done, total (zero if unknown), unit. */
    using Progress = std::function<void(double, double, const std::string&)>;

    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Check whether the parameters are consistent; each alone has passed its checker.
     * @return an empty text, or one sentence that names what is wrong and what is allowed
     */
    virtual std::string Check() const
    {
        return "";
    }

    /** @return the parts that are chosen by name; none unless a derived class has some. */
    virtual std::vector<Part> GetParts() const
    {
        return {};
    }

    /**
     * Get a part, created as its selector says; set the selector before.
     * @param prefix prefix of its parameters
     * @return the part; nullptr if there is none of this prefix or name
     */
    Ptr<Object> GetPart(const std::string& prefix) const;

    /**
     * Get a part of a class.
     * @param prefix prefix of its parameters
     * @return the part; nullptr if there is none of this prefix or name
     */
    template <class T>
    Ptr<T> GetPart(const std::string& prefix) const
    {
        return DynamicCast<T>(GetPart(prefix));
    }

    /** @return the tables of the parts after a run, beside those that are attributes. */
    const std::vector<NamedTable>& GetPartTables() const
    {
        return m_tables;
    }

    /** Run the experiment once; its results can be got afterwards. Sets up and destroys the
     * simulator. */
    void Run();

    /**
     * Set the progress callback.
     * @param progress called a few times a second at most
     */
    void SetProgress(Progress progress)
    {
        m_progress = std::move(progress);
    }

    /** @return how the run ended. */
    Verdict GetVerdict() const
    {
        return m_verdict;
    }

    /** @return the verdict as text. */
    std::string GetVerdictName() const;

    /** @return one sentence on why the run failed or was not completed; empty if it was. */
    std::string GetFailure() const
    {
        return m_failure;
    }

  protected:
    /** The experiment itself; ends by setting a verdict other than NOT_RUN, or COMPLETED is
     * assumed. */
    virtual void DoRun() = 0;

    /**
     * Report progress; cheap enough to be called in a loop.
     * @param done amount done
     * @param total amount to do, zero if unknown
     * @param unit of both
     */
    void ReportProgress(double done, double total, const std::string& unit);

    /**
     * Set how the run ended.
     * @param verdict how
     * @param reason one sentence on why, empty if completed
     */
    void SetVerdict(Verdict verdict, const std::string& reason = "")
    {
        m_verdict = verdict;
        m_failure = reason;
    }

    std::vector<NamedTable> m_tables; ///< Tables of the parts after a run.

  private:
    /** Parts by prefix, with the names by which they were created. */
    mutable std::map<std::string, std::pair<std::string, Ptr<Object>>> m_parts;
    Progress m_progress;                 ///< Progress callback.
    std::string m_failure;               ///< Why the run was not completed.
    Verdict m_verdict{Verdict::NOT_RUN}; ///< How the run ended.
    int64_t m_lastReport{0};             ///< Wall clock of the last report [ms].
};

/**
 * Set parameters of a scenario, and check whether they are consistent.
 *
 * ns-3's own parsers abort the program on malformed text; this refuses it.
 *
 * @param scenario the scenario, changed up to the first parameter that is refused
 * @param parameters name and value of each
 * @return an empty text, or one sentence that names what is wrong and what is allowed
 */
std::string SetParameters(Scenario& scenario, const std::map<std::string, std::string>& parameters);

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_SCENARIO_H
