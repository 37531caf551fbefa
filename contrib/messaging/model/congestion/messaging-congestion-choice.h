/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_CONGESTION_CHOICE_H
#define MESSAGING_CONGESTION_CHOICE_H

#include "ns3/messaging-attributes.h"
#include "ns3/messaging-congestion-control.h"
#include "ns3/messaging-dcqcn.h"
#include "ns3/messaging-nscc.h"
#include "ns3/messaging-rccc.h"
#include "ns3/messaging-swift.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>

/**
 * @file
 * @ingroup messaging
 * Congestion control that the user chooses by an attribute.
 */

namespace ns3
{
namespace messaging
{

/** Kinds of congestion control. */
enum class CongestionKind : uint8_t
{
    NONE,   ///< FixedWindow: the protocol's own window alone.
    WINDOW, ///< AimdWindow.
    DCQCN,  ///< Dcqcn.
    SWIFT,  ///< Swift.
    NSCC,   ///< Nscc.
    RCCC    ///< Rccc, for protocols whose receivers grant credit.
};

/** Choice of congestion control, and its parameters: attributes of a protocol. */
struct CongestionSettings
{
    CongestionKind kind{CongestionKind::NONE};    ///< Kind.
    double dcqcnGain{1.0 / 256};                  ///< Gain of DCQCN.
    Time dcqcnAlphaInterval{MicroSeconds(50)};    ///< Interval of DCQCN's estimate.
    Time dcqcnCutInterval{MicroSeconds(50)};      ///< Interval of DCQCN's cuts.
    Time dcqcnIncreaseInterval{MicroSeconds(55)}; ///< Interval of DCQCN's increases.
    uint64_t dcqcnBytes{10'000'000};              ///< Bytes between DCQCN's increases [bytes].
    uint32_t dcqcnRounds{5};                      ///< Increases of DCQCN's fast recovery.
    double dcqcnAdditive{0.0002};                 ///< Additive increase, as a part of the rate.
    double dcqcnHyper{0.002};                     ///< Hyper increase, as a part of the rate.
    double dcqcnLeast{0.001};                     ///< Least rate, as a part of the rate.
    double swiftTarget{2};                        ///< Base target of Swift [idle round trips].
    double swiftRange{5};                         ///< Range of Swift's target [base targets].
    double nsccTarget{0.75};                      ///< Target of NSCC [base round trips].
    double nsccMost{1.5};                         ///< Largest window of NSCC [products].
    double rcccFirst{1};                          ///< First credit of RCCC [products].
};

/** What congestion control has to know of a network. */
struct CongestionSite
{
    uint32_t segment{1};       ///< A full frame [bytes].
    uint64_t window{1};        ///< The protocol's largest window [bytes].
    double rate{0};            ///< Rate of a peer; 0 if unknown [bytes a tick].
    Ticks roundTrip{1};        ///< Idle round trip of a full frame, without hosts [ticks].
    Ticks hosts{0};            ///< Idle work of hosts at a full frame and its answer [ticks].
    Time tick{NanoSeconds(1)}; ///< Length of a tick.
};

/**
 * @ingroup messaging
 * One kind of congestion control, chosen at run time: a plain value.
 */
class CongestionChoice
{
  public:
    /**
     * Construct.
     * @param settings the choice
     * @param site the network
     */
    CongestionChoice(const CongestionSettings& settings, const CongestionSite& site)
        : m_control(Make(settings, site))
    {
    }

    /** A frame of a message has left. @param now the time [ticks] @param bytes its size [bytes] */
    void OnSend(Ticks now, uint32_t bytes)
    {
        std::visit([&](auto& control) { control.OnSend(now, bytes); }, m_control);
    }

    /** An acknowledgement has arrived. @param news the acknowledgement */
    void OnAck(const AckNews& news)
    {
        std::visit([&](auto& control) { control.OnAck(news); }, m_control);
    }

    /** A loss was found by other means than a timeout. @param now the time [ticks] */
    void OnLoss(Ticks now)
    {
        std::visit([&](auto& control) { control.OnLoss(now); }, m_control);
    }

    /** A timeout has expired. @param now the time [ticks] */
    void OnTimeout(Ticks now)
    {
        std::visit([&](auto& control) { control.OnTimeout(now); }, m_control);
    }

    /** @return the window [bytes]. */
    uint64_t GetWindow() const
    {
        return std::visit([](const auto& control) { return control.GetWindow(); }, m_control);
    }

    /** @return the rate; 0 for no limit [bytes a tick]. */
    double GetRate() const
    {
        return std::visit([](const auto& control) { return control.GetRate(); }, m_control);
    }

    /** @param frames a number of frames, at least one @return true if so many may leave, as far as
     * credit is concerned. */
    bool HasCredit(uint32_t frames = 1) const
    {
        const Rccc* const rccc = std::get_if<Rccc>(&m_control);
        return !rccc || rccc->HasCredit(frames);
    }

    /** Receive a grant, if credit is used. @param credits all grants so far, as a frame carries it
     */
    void OnCredit(uint32_t credits)
    {
        if (Rccc* const rccc = std::get_if<Rccc>(&m_control))
        {
            rccc->OnCredit(credits);
        }
    }

    /** @param backlog frames that wait to be sent @return the demand for credit, as a frame carries
     * it; none if credit is not used. */
    std::optional<uint32_t> GetDemand(uint64_t backlog) const
    {
        if (const Rccc* const rccc = std::get_if<Rccc>(&m_control))
        {
            return rccc->GetDemand(backlog);
        }
        return std::nullopt;
    }

    /** Append the state. @param encoder where */
    void Encode(Encoder& encoder) const
    {
        std::visit([&](const auto& control) { control.Encode(encoder); }, m_control);
    }

  private:
    /** One of the kinds, in the order of CongestionKind. */
    using Control = std::variant<FixedWindow, AimdWindow, Dcqcn, Swift, Nscc, Rccc>;

    /** @param settings the choice @param site the network @return the control. */
    static Control Make(const CongestionSettings& settings, const CongestionSite& site);

    Control m_control; ///< The control.
};

static_assert(CongestionControl<CongestionChoice>);

/**
 * Get the credit of a flow before the first grant.
 * @param settings the choice
 * @param site the network
 * @return the credit, at least a frame [bytes]
 */
uint64_t GetFirstCredit(const CongestionSettings& settings, const CongestionSite& site);

/**
 * Check whether a kind of congestion control has what it needs.
 * @param settings the choice
 * @param rate rate of a peer; 0 if unknown [bytes a tick]
 * @param grants whether the protocol's receivers grant credit
 * @return empty if it has, else one sentence with the reason
 */
std::string CheckCongestionControl(const CongestionSettings& settings,
                                   double rate,
                                   bool grants = false);

/**
 * Add the choice and its parameters to the attributes of a protocol.
 * @param attributes the attributes of the settings, from Attributes::In
 */
template <class Owner, class Find>
void
AddCongestionAttributes(Attributes<Owner, CongestionSettings, Find> attributes)
{
    using Settings = CongestionSettings;
    attributes
        .AddAttribute(
            "CongestionControl",
            "Congestion control beside the protocol's own window: a window that halves at "
            "marks and losses, DCQCN, Swift, NSCC, RCCC (credit of the receiver, which uet has), "
            "or none [name; default].",
            &Settings::kind,
            {{CongestionKind::NONE, "none"},
             {CongestionKind::WINDOW, "window"},
             {CongestionKind::DCQCN, "dcqcn"},
             {CongestionKind::SWIFT, "swift"},
             {CongestionKind::NSCC, "nscc"},
             {CongestionKind::RCCC, "rccc"}})
        .AddAttribute("DcqcnGain",
                      "Gain of DCQCN's estimate of congestion [fraction; HPCC's ns-3 tree].",
                      &Settings::dcqcnGain,
                      Range{0.0, 1.0})
        .AddAttribute("DcqcnAlphaInterval",
                      "Time without a cut after which DCQCN's estimate falls [time; HPCC's ns-3 "
                      "tree, option paper].",
                      &Settings::dcqcnAlphaInterval,
                      Range{NanoSeconds(1), Seconds(1)})
        .AddAttribute("DcqcnCutInterval",
                      "Minimum time between two cuts of DCQCN [time; HPCC's ns-3 tree, option "
                      "paper].",
                      &Settings::dcqcnCutInterval,
                      Range{NanoSeconds(1), Seconds(1)})
        .AddAttribute("DcqcnIncreaseInterval",
                      "Time between two increases of DCQCN [time; HPCC's ns-3 tree, option paper].",
                      &Settings::dcqcnIncreaseInterval,
                      Range{NanoSeconds(1), Seconds(1)})
        .AddAttribute("DcqcnBytes",
                      "Bytes sent between two increases of DCQCN [bytes; htsim].",
                      &Settings::dcqcnBytes,
                      Range{1, uint64_t{1} << 40})
        .AddAttribute("DcqcnRounds",
                      "Increases of DCQCN's fast recovery [increases; htsim].",
                      &Settings::dcqcnRounds,
                      Range{1, 1000})
        .AddAttribute("DcqcnAdditive",
                      "Additive increase of DCQCN, as a part of the link's rate [fraction; HPCC's "
                      "ns-3 tree, 5 Mb/s at 25 Gb/s].",
                      &Settings::dcqcnAdditive,
                      Range{0.0, 1.0})
        .AddAttribute(
            "DcqcnHyper",
            "Hyper increase of DCQCN, as a part of the link's rate [fraction; HPCC's ns-3 "
            "tree, 50 Mb/s at 25 Gb/s].",
            &Settings::dcqcnHyper,
            Range{0.0, 1.0})
        .AddAttribute("DcqcnLeast",
                      "Least rate of DCQCN, as a part of the link's rate [fraction; default].",
                      &Settings::dcqcnLeast,
                      Range{1e-6, 1.0})
        .AddAttribute("SwiftTarget",
                      "Base target of Swift's round trip [idle round trips; default].",
                      &Settings::swiftTarget,
                      Range{1.0, 1000.0})
        .AddAttribute("SwiftRange",
                      "Largest addition to Swift's target for small windows [base targets; htsim].",
                      &Settings::swiftRange,
                      Range{0.0, 1000.0})
        .AddAttribute("NsccTarget",
                      "Target of NSCC's queueing delay; 1 is recommended for networks that do not "
                      "trim [idle round trips; htsim].",
                      &Settings::nsccTarget,
                      Range{0.01, 100.0})
        .AddAttribute("NsccMost",
                      "Largest and first window of NSCC [bandwidth-delay products; htsim].",
                      &Settings::nsccMost,
                      Range{0.01, 100.0})
        .AddAttribute("RcccFirst",
                      "Credit of RCCC before the first grant [bandwidth-delay products; default].",
                      &Settings::rcccFirst,
                      Range{0.01, 100.0});
}

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_CONGESTION_CHOICE_H
