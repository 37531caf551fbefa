/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_INTROSPECTION_H
#define MESSAGING_INTROSPECTION_H

#include <cstdint>

/**
 * @file
 * @ingroup messaging
 * Scenarios for other languages: a catalog, and runs.
 *
 * Plain C, so that a caller needs no C++ compiler or header: loading the library is enough. Texts
 * are UTF-8, structured ones are JSON; a text belongs to the callee and stays valid until the next
 * call with the same run. A function that can fail returns a sentence with the reason, or an empty
 * text. Values of parameters are expected to have been checked by the caller against the texts of
 * the catalog, since some of ns-3's parsers abort the process on malformed input.
 */

extern "C"
{
    /** A run of a scenario; opaque. */
    struct MessagingRun;

    /**
     * Progress callback of a run.
     * @param done amount done
     * @param total amount to do, zero if unknown
     * @param unit of both
     */
    typedef void (*MessagingProgress)(double done, double total, const char* unit);

    /**
     * List the scenarios of all loaded libraries, and the choices of their parts.
     *
     * A JSON object. `scenarios` is an array of `{"type", "group", "summary", "attributes",
     * "parts"}`. An attribute is `{"name", "help", "origin", "role", "value", "checker",
     * "default"}`, where origin is the type that declares it, role is `parameter`, `result` or
     * `table`, value the type of its AttributeValue, and checker the checker's own text on the
     * range. A part is `{"prefix", "selector", "kind"}`, where kind is the name of a base class.
     * `kinds` is an array of `{"kind", "types"}`, and a type is `{"name", "type", "group",
     * "summary", "attributes"}`.
     *
     * Resets the count of automatic random streams, so that it is to be called before a run.
     *
     * @return the catalog; valid until the next call
     */
    const char* MessagingCatalog();

    /**
     * Run the computations that ns-3 does once in a process, so that processes forked from this one
     * need not. No state that a run depends on changes.
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
     * Set a parameter. The selector of a part is set before the parameters of the part.
     * @param run the run
     * @param name the attribute's name, for a parameter of a part after the part's prefix and a dot
     * @param value its value as text
     * @return an empty text, or a sentence on why not
     */
    const char* MessagingRunSet(MessagingRun* run, const char* name, const char* value);

    /**
     * Check whether the parameters are consistent.
     * @param run the run
     * @return an empty text, or a sentence on why not
     */
    const char* MessagingRunCheck(MessagingRun* run);

    /**
     * Record messages, frames and the work of hosts when the run is carried out. The events are a
     * further table of the results, RecordedEvents.
     * @param run the run
     * @param limit most events
     * @param begin simulated time of the first event [ns]
     * @param end simulated time of the last event [ns]
     * @param pcap prefix of a pcap file for each net device, or an empty text
     * @param ascii file of an ascii trace of all net devices, or an empty text
     */
    void MessagingRunRecord(MessagingRun* run,
                            uint64_t limit,
                            int64_t begin,
                            int64_t end,
                            const char* pcap,
                            const char* ascii);

    /**
     * Carry out the run.
     * @param run the run
     * @param progress progress callback, or null
     * @return an empty text, or a sentence on why it could not be carried out
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
     * Get the cells of a numeric column, one after the other in memory.
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

#endif // MESSAGING_INTROSPECTION_H
