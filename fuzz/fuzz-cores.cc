/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fuzz-targets.h"

#include "ns3/messaging-protocol.h"
#include "ns3/messaging-registry.h"
#include "ns3/messaging-search-idle-port.h"
#include "ns3/messaging-search-start.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <sstream>
#include <vector>

/**
 * @file
 * Fuzzing of protocol cores: those of every protocol with an exhaustive search, under requests,
 * frames, timers, ends of work and ready ports in any order.
 */

namespace fuzz
{

using namespace ns3;
using namespace ns3::messaging;

namespace
{

/** Maximum number of frames in flight; beyond it the oldest are lost. */
constexpr std::size_t MOST_FLIGHTS = 64;

/** Permitted growth of a core's canonical form [words]. */
constexpr std::size_t WORDS = 2048;

/** Additional permitted growth for each request and peer [words]. */
constexpr std::size_t WORDS_A_REQUEST = 64;

/** A few cores and their pending requests. */
class Cores
{
  public:
    /**
     * Constructor.
     * @param start the cores
     * @param lossless whether the port refuses frames instead of losing them
     */
    Cores(const SearchStart& start, bool lossless)
        : m_store(*start.cores),
          m_peers(m_store.GetNPeers())
    {
        m_setting.lossless = lossless;
        for (Peer peer = 0; peer < m_peers.size(); ++peer)
        {
            m_peers[peer].core = m_store.GetInitial(peer);
            m_first = std::max(m_first, m_store.GetNWords(m_peers[peer].core));
        }
        for (const auto& [peer, request] : start.starts)
        {
            Run(peer, CoreEvent{.kind = EventKind::POST, .request = &request});
        }
    }

    /** Apply an event. @param in selects the event */
    void Step(Input& in)
    {
        const uint8_t head = in.Take();
        const Peer self = (head >> 4 & 3) % m_peers.size();
        auto& peer = m_peers[self];
        m_busy = head >> 7;
        switch (head & 7)
        {
        case 0: {
            Request request{.id = m_posted, .contents = 100 + m_posted};
            request.to = static_cast<Peer>(in.TakeNumber(m_peers.size()));
            request.to = request.to == m_peers.size() ? NO_PEER : request.to;
            request.bytes = static_cast<uint32_t>(in.TakeNumber(1U << 16));
            request.tag = static_cast<uint32_t>(m_posted);
            ++m_posted;
            Run(self, CoreEvent{.kind = EventKind::POST, .request = &request});
            break;
        }
        case 1:
        case 2:
        case 3:
            if (!m_flights.empty())
            {
                // Deliver, duplicate, corrupt or lose the frame.
                const std::size_t place = in.TakeNumber(m_flights.size() - 1);
                Flight flight = m_flights[place];
                if ((head & 7) != 2)
                {
                    m_flights.erase(m_flights.begin() + static_cast<std::ptrdiff_t>(place));
                }
                if ((head & 7) == 3)
                {
                    Change(flight.frame, in.Take() % FIELDS, in);
                }
                if ((head & 7) != 1 || (head >> 6 & 1) == 0)
                {
                    Arrive(flight);
                }
            }
            break;
        case 4: {
            Flight flight{.from = static_cast<Peer>(in.TakeNumber(m_peers.size())),
                          .to = self,
                          .frame = {}};
            for (uint8_t field = 0; field < FIELDS; ++field)
            {
                Change(flight.frame, field, in);
            }
            const auto before = peer.core;
            const std::size_t flights = m_flights.size();
            Arrive(flight);
            Require(flight.from < m_peers.size() ||
                        (peer.core == before && m_flights.size() == flights),
                    "A core accepts a frame of a nonexistent peer.");
            break;
        }
        case 5:
            // Includes cancelled timers, which a core has to tolerate.
            if (!peer.known.empty())
            {
                const TimerId timer = peer.known[in.TakeNumber(peer.known.size() - 1)];
                std::erase(peer.host.timers, timer);
                Run(self, CoreEvent{.kind = EventKind::TIMEOUT, .which = timer});
            }
            break;
        case 6:
            if (auto& pending = peer.host.work; !pending.empty())
            {
                const auto place = pending.begin() +
                                   static_cast<std::ptrdiff_t>(in.TakeNumber(pending.size() - 1));
                const WorkId work = *place;
                pending.erase(place);
                Run(self, CoreEvent{.kind = EventKind::DONE, .which = work});
            }
            break;
        case 7:
            Run(self, CoreEvent{.kind = EventKind::READY});
            break;
        }
    }

  private:
    static constexpr uint8_t FIELDS = 11; ///< Fields of a frame.

    /** Maximum length of the words that a change makes. */
    static constexpr uint32_t MOST_WORDS = 64;

    /** A frame in flight. */
    struct Flight
    {
        Peer from;   ///< Sender.
        Peer to;     ///< Receiver.
        Frame frame; ///< The frame.
    };

    /** Pending requests of a core. */
    struct PeerState
    {
        CoreStore::CoreId core{0};  ///< State.
        HostState host;             ///< Timers and work.
        std::vector<TimerId> known; ///< Timers armed at any time.
    };

    /**
     * Change a field of a frame. @param frame the frame @param field its number @param in selects
     * the change
     */
    static void Change(Frame& frame, uint8_t field, Input& in)
    {
        const auto take = [&](auto& value) {
            using T = std::decay_t<decltype(value)>;
            value = static_cast<T>(value + in.TakeNumber(std::numeric_limits<T>::max()));
        };
        switch (field)
        {
        case 0:
            return take(frame.id);
        case 1:
            return take(frame.contents);
        case 2:
            return take(frame.payload);
        case 3:
            return take(frame.aux);
        case 4:
            return take(frame.header);
        case 5:
            return take(frame.kind);
        case 6:
            return take(frame.flags);
        case 7:
            return take(frame.path);
        case 8:
            return take(frame.trafficClass);
        case 9:
            return take(frame.marks);
        default:
            return ChangeWords(frame.words, in);
        }
    }

    /** Change the length or a word of a list. @param words the list @param in selects the change */
    static void ChangeWords(FrameWords& words, Input& in)
    {
        const auto length = static_cast<uint32_t>(in.TakeNumber(MOST_WORDS));
        std::vector<uint32_t> changed(words.begin(), words.end());
        changed.resize(length);
        if (length > 0)
        {
            const auto place = in.TakeNumber(length - 1);
            changed[place] += static_cast<uint32_t>(in.TakeNumber(UINT32_MAX));
        }
        words.assign(changed);
    }

    /** Deliver a frame. @param flight the frame */
    void Arrive(const Flight& flight)
    {
        Run(flight.to,
            CoreEvent{.kind = EventKind::DELIVER, .from = flight.from, .frame = &flight.frame});
    }

    /** Run a step and store its requests. @param self its peer @param event the event */
    void Run(Peer self, const CoreEvent& event)
    {
        auto& peer = m_peers[self];
        StepRecorder recorder(m_setting,
                              self,
                              std::vector<uint32_t>(m_peers.size(), m_busy ? 0 : 64),
                              peer.host);
        peer.core = m_store.Run(peer.core, event, recorder);
        peer.host = recorder;
        for (const auto& [timer, armed] : recorder.touched)
        {
            if (std::find(peer.known.begin(), peer.known.end(), timer) == peer.known.end())
            {
                peer.known.push_back(timer);
            }
        }
        for (const auto& sent : recorder.sent)
        {
            m_flights.push_back(Flight{.from = self, .to = sent.to, .frame = sent.frame});
        }
        while (m_flights.size() > MOST_FLIGHTS)
        {
            m_flights.pop_front();
        }
        const std::size_t words =
            m_store.GetNWords(peer.core) + peer.host.timers.size() + peer.host.work.size();
        Require(words <= m_first + WORDS + WORDS_A_REQUEST * m_posted * m_peers.size(),
                "A core has grown beyond what was posted: " + std::to_string(words) + " words, " +
                    std::to_string(m_first) + " at the start, after " + std::to_string(m_posted) +
                    " requests.");
    }

    StepRecorder::Setting m_setting; ///< Setting of the recorder.
    CoreStore& m_store;              ///< The cores.
    std::vector<PeerState> m_peers;  ///< State by peer.
    std::deque<Flight> m_flights;    ///< Frames in flight.
    std::size_t m_first{0};          ///< Maximum initial state [words].
    uint64_t m_posted{0};            ///< Posted requests.
    bool m_busy{false};              ///< Ports are busy.
};

/**
 * Set some attributes: booleans, enumerations and small numbers.
 * @param object the object
 * @param in selects the attributes and values
 */
void
SetAttributes(Object& object, Input& in)
{
    const TypeId type = object.GetInstanceTypeId();
    for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
    {
        const auto attribute = type.GetAttribute(i);
        const uint8_t byte = in.Take();
        if (!(attribute.flags & TypeId::ATTR_SET) || byte < 128)
        {
            continue;
        }
        const std::string kind = attribute.checker->GetValueTypeName();
        std::string text = std::to_string(byte - 128);
        if (kind == "ns3::BooleanValue")
        {
            text = byte & 1 ? "true" : "false";
        }
        else if (kind == "ns3::EnumValue")
        {
            std::istringstream choices(attribute.checker->GetUnderlyingTypeInformation());
            for (int skip = (byte & 7) + 1; skip > 0 && std::getline(choices, text, '|'); --skip)
            {
            }
        }
        else if (kind != "ns3::UintegerValue")
        {
            continue;
        }
        object.SetAttributeFailSafe(attribute.name, StringValue(text));
    }
}

/**
 * Run the cores of a protocol.
 * @param name name of the protocol
 * @param in selects the events
 */
void
FuzzCores(const std::string& name, Input in)
{
    const uint8_t head = in.Take();
    const uint32_t peers = 2 + (head & 1) + (head >> 1 & 1);
    const PortInfo info{.mtu = head >> 2 & 1 ? 4096U : 256U,
                        .broadcast = true,
                        .ordered = (head >> 3 & 1) == 0,
                        .lossless = (head >> 4 & 1) != 0,
                        .rdma = true,
                        .maxSlip = head >> 3 & 1 ? 1000U : 0U};
    const auto protocol = DynamicCast<Protocol>(CreateByName(Protocol::GetTypeId(), name));
    if (head >> 5 & 1)
    {
        SetAttributes(*protocol, in);
    }
    if (!protocol->Check(info, peers).empty())
    {
        return;
    }
    const auto port = ns3::Create<IdlePort>(info, peers);
    const auto group = protocol->Connect(Site{.clock = CreateObject<TickClock>(), .port = port});
    {
        const SearchStart start = FindSearchStart(*protocol, group);
        Cores cores(start, info.lossless);
        while (!in.IsEmpty())
        {
            cores.Step(in);
        }
    }
    group->Dispose();
    protocol->Dispose();
    Simulator::Destroy();
}

} // namespace

std::map<std::string, Target>
GetCores()
{
    std::map<std::string, Target> targets;
    for (const TypeId& type : ListTypes(Protocol::GetTypeId()))
    {
        const std::string choice = GetName(type, Protocol::GetTypeId());
        const auto protocol = DynamicCast<Protocol>(CreateByName(Protocol::GetTypeId(), choice));
        if (!protocol->UsesSockets())
        {
            targets["core-" + choice] = [choice](Input in) { FuzzCores(choice, in); };
        }
    }
    return targets;
}

} // namespace fuzz
