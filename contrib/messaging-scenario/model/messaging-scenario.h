/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_SCENARIO_H
#define MESSAGING_SCENARIO_H

#include "ns3/messaging-registry.h"
#include "ns3/messaging-table.h"
#include "ns3/object.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * An experiment with parameters and results that are declared in ns-3's TypeId system.
 */

namespace ns3
{
namespace messaging
{

class Recorder;

/** Verdict on a run. */
enum class Verdict : uint8_t
{
    NOT_RUN,     ///< Run has not been called.
    COMPLETED,   ///< The experiment is complete.
    LIVELOCK,    ///< The protocol is in a cycle that it does not leave.
    DEADLOCK,    ///< No event is pending, but the experiment is incomplete.
    UNREACHABLE, ///< Some message has no route to its destination.
    VIOLATED,    ///< The delivery audit has found a violation.
    FAILED,      ///< The protocol has given up a message, and has reported that to its sender.
    UNDECIDED,   ///< A limit has ended the run before its outcome was known.
    ERROR        ///< There is no result: the run is impossible, or was refused.
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
 * A parameter is a settable attribute. A result is a read-only attribute (TypeId::ATTR_GET). A
 * table is a result that is a pointer to a Table. Help texts end in `[unit; source]`. Command line,
 * Python and documentation find parameters and results through TypeId.
 */
class Scenario : public Object
{
  public:
    Scenario();
    ~Scenario() override;

    /** A part with separate parameters, which is selected by name or always the same class. */
    struct Part
    {
        std::string prefix;   ///< Prefix of its parameters, as in `network.Router`.
        std::string selector; ///< Attribute that contains its name; empty if there is no choice.
        TypeId kind;          ///< Base class of the choices; without a choice, the class.
    };

    /** Progress callback: done, total (zero if unknown), unit. */
    using Progress = std::function<void(double, double, const std::string&)>;

    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Check whether the parameters are consistent; each has already passed its checker.
     * @return an empty string, or one sentence with the error and the allowed values
     */
    virtual std::string Check() const
    {
        return "";
    }

    /** @return the parts with separate parameters; none unless overridden. */
    virtual std::vector<Part> GetParts() const
    {
        return {};
    }

    /**
     * Get a part, created according to its selector, which must be set before.
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

    /** @return the tables of the parts after a run, in addition to those that are attributes. */
    const std::vector<NamedTable>& GetPartTables() const
    {
        return m_tables;
    }

    /** Run the experiment once, and destroy the simulator. The results are available afterwards. */
    void Run();

    /**
     * Set the progress callback.
     * @param progress called at most a few times a second
     */
    void SetProgress(Progress progress)
    {
        m_progress = std::move(progress);
    }

    /** @return the recorder of the run, which records nothing unless it is started before. */
    Recorder& GetRecorder() const
    {
        return *m_recorder;
    }

    /** @return the verdict on the run. */
    Verdict GetVerdict() const
    {
        return m_verdict;
    }

    /** @return the verdict as text. */
    std::string GetVerdictName() const;

    /** @return one sentence with the reason why the run was not completed; empty if it was. */
    std::string GetFailure() const
    {
        return m_failure;
    }

  protected:
    /** Run the experiment. The verdict is COMPLETED unless this function sets another one. */
    virtual void DoRun() = 0;

    /**
     * Report progress; cheap enough to be called in a loop.
     * @param done amount done
     * @param total amount to do, zero if unknown
     * @param unit unit of both
     */
    void ReportProgress(double done, double total, const std::string& unit);

    /**
     * Set the verdict on the run.
     * @param verdict the verdict
     * @param reason one sentence with the reason; empty if completed
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
    std::unique_ptr<Recorder> m_recorder; ///< Recorder of the run.
    Progress m_progress;                  ///< Progress callback.
    std::string m_failure;                ///< Reason why the run was not completed.
    Verdict m_verdict{Verdict::NOT_RUN};  ///< Verdict on the run.
    int64_t m_lastReport{0};              ///< Wall clock of the last report [ms].
};

/**
 * Set parameters of a scenario, and check whether they are consistent.
 *
 * Malformed text is an error; ns-3's parsers would abort the program.
 *
 * @param scenario the scenario; parameters before the first error are set
 * @param parameters values by name
 * @return an empty string, or one sentence with the error and the allowed values
 */
std::string SetParameters(Scenario& scenario, const std::map<std::string, std::string>& parameters);

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_SCENARIO_H
