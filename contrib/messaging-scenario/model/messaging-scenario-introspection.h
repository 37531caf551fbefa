/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_SCENARIO_INTROSPECTION_H
#define MESSAGING_SCENARIO_INTROSPECTION_H

#include <cstdint>

/**
 * @file
 * @ingroup messaging
 * Interface to scenarios for other languages: a catalog, and runs.
 *
 * It is plain C, so that a caller needs no C++ compiler or header and only loads the library. Texts
 * are UTF-8, and structured texts are JSON. A text belongs to the callee and stays valid until the
 * next call with the same run. A function that can fail returns a sentence with the reason, or an
 * empty string. The caller must check values of parameters against the catalog, since some of
 * ns-3's parsers abort the process on malformed input.
 */

extern "C"
{
    /** A run of a scenario; opaque. */
    struct MessagingRun;

    /**
     * Progress callback of a run.
     * @param done amount done
     * @param total amount to do, zero if unknown
     * @param unit unit of both
     */
    typedef void (*MessagingProgress)(double done, double total, const char* unit);

    /**
     * List the scenarios of all loaded libraries, and the choices of their parts.
     *
     * The catalog is a JSON object. `scenarios` is an array of `{"type", "group", "summary",
     * "attributes", "parts"}`. An attribute is `{"name", "help", "origin", "role", "value",
     * "checker", "default"}`, where origin is the type that declares it, role is `parameter`,
     * `result` or `table`, value is the type of its AttributeValue, and checker is the checker's
     * description of the range. A part is `{"prefix", "selector", "kind"}`, where kind is the name
     * of a base class; a part without a choice has an empty selector, and also `{"type", "group",
     * "summary", "attributes"}`. `kinds` is an array of `{"kind", "types"}`, and a type is
     * `{"name", "type", "group", "summary", "attributes"}`.
     *
     * This resets the count of automatic random streams, so call it only before a run.
     *
     * @return the catalog; valid until the next call
     */
    const char* MessagingCatalog();

    /**
     * Run the computations that ns-3 does once in each process, to save them in forked processes.
     * The results of runs do not change.
     */
    void MessagingWarmUp();

    /**
     * Create a scenario.
     * @param type the name of its TypeId
     * @param seed the run number of ns-3's random number generator; its seed is always 1
     * @return the run, or null if there is no such scenario
     */
    MessagingRun* MessagingRunCreate(const char* type, uint64_t seed);

    /**
     * Set a parameter. Set the selector of a part before the parameters of the part.
     * @param run the run
     * @param name name of the attribute; for a part, preceded by the part's prefix and a dot
     * @param value its value as text
     * @return an empty string, or a sentence with the error
     */
    const char* MessagingRunSet(MessagingRun* run, const char* name, const char* value);

    /**
     * Check whether the parameters are consistent.
     * @param run the run
     * @return an empty string, or a sentence with the error
     */
    const char* MessagingRunCheck(MessagingRun* run);

    /**
     * Find the sizes of messages that the parameters allow, if the scenario can. No run may follow
     * in this process.
     *
     * `{"mtu", "whole", "largest", "layered"}`, the members of MessageSizes.
     *
     * @param run the run, whose parameters are consistent
     * @return the sizes, or an empty string
     */
    const char* MessagingRunSizes(MessagingRun* run);

    /**
     * Record messages, frames and the work of hosts during the run. The results then contain the
     * tables RecordedEvents and RecordedParts.
     * @param run the run
     * @param limit maximum number of events, without the ends of what has begun
     * @param begin begin of the period that is kept [ns]
     * @param end its end [ns]
     * @param pcap prefix of a pcap file for each net device, or an empty string
     * @param ascii file of an ascii trace of all net devices, or an empty string
     */
    void MessagingRunRecord(MessagingRun* run,
                            uint64_t limit,
                            int64_t begin,
                            int64_t end,
                            const char* pcap,
                            const char* ascii);

    /**
     * Execute the run.
     * @param run the run
     * @param progress progress callback, or null
     * @return an empty string, or a sentence with the reason why it failed
     */
    const char* MessagingRunExecute(MessagingRun* run, MessagingProgress progress);

    /**
     * Get all results.
     *
     * `{"results": {name: value}, "tables": [{"name", "rows", "columns": [{"name", "unit",
     * "type"}]}]}`, where type is `int64`, `double` or `string`. A column of strings carries its
     * `cells`.
     *
     * @param run the run
     * @return the results
     */
    const char* MessagingRunResults(MessagingRun* run);

    /**
     * Get the cells of a numeric column as a contiguous array.
     * @param run the run, after a call of MessagingRunResults
     * @param table index of the table in the results
     * @param column index of the column in the table
     * @return the first cell, or null if there is none
     */
    const void* MessagingRunColumn(MessagingRun* run, uint32_t table, uint32_t column);

    /**
     * Destroy a run.
     * @param run the run
     */
    void MessagingRunDestroy(MessagingRun* run);
}

#endif // MESSAGING_SCENARIO_INTROSPECTION_H
