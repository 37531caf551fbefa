/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-search-symmetry.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <tuple>

namespace ns3
{
namespace messaging
{

namespace
{

/** First name of an ID; the names before it are messages. */
constexpr uint32_t FIRST_ID = 64;

/** Maximum number of peers for which all exchanges are tried. */
constexpr uint32_t MOST_EXCHANGED = 5;

/** Maximum number of rounds that distinguish names. */
constexpr uint32_t MOST_ROUNDS = 4;

/** Seed of the hash of a set's member. */
constexpr uint64_t ITEM_SEED = 0x6a09e667f3bcc908;

/** Seed of the hash of a message that is not posted yet. */
constexpr uint64_t PENDING_SEED = 0xbb67ae8584caa73b;

} // namespace

void
Outline::Put(uint64_t word)
{
    m_word = Mix(m_word, word);
    m_hasWord = true;
}

void
Outline::PutPeer(Peer peer)
{
    if (peer == NO_PEER)
    {
        Put(NO_PEER);
        return;
    }
    Add(Kind::PEER, peer);
}

template <class Matches>
void
Outline::PutMessage(Matches matches, uint64_t way, uint64_t value)
{
    const auto& requests = m_symmetry.GetRequests();
    const auto found = std::find_if(requests.begin(), requests.end(), matches);
    if (found == requests.end())
    {
        Put(value);
        return;
    }
    Put(way);
    Add(Kind::MESSAGE, static_cast<uint32_t>(found - requests.begin()));
}

void
Outline::PutContents(uint64_t contents)
{
    PutMessage([=](const auto& one) { return one.second.contents == contents; }, 1, contents);
}

void
Outline::PutRequest(Peer from, RequestId id)
{
    PutMessage([=](const auto& one) { return one.first == from && one.second.id == id; }, 2, id);
}

void
Outline::PutTag(uint64_t contents, uint32_t tag)
{
    const auto& requests = m_symmetry.GetRequests();
    const bool isOwn = std::any_of(requests.begin(), requests.end(), [=](const auto& one) {
        return one.second.contents == contents && one.second.tag == tag;
    });
    Put(isOwn ? 1 : 0);
    Put(isOwn ? 0 : tag);
}

void
Outline::PutId(Peer from, uint64_t id)
{
    Add(Kind::ID, m_symmetry.NumberId(from, id));
}

std::vector<Outline::Atom>
Outline::Take()
{
    if (m_hasWord)
    {
        Add(Kind::WORD, 0);
    }
    return std::move(m_atoms);
}

void
Outline::Add(Kind kind, uint32_t name)
{
    m_atoms.push_back(Atom{m_word, name, kind});
    m_word = 0;
    m_hasWord = false;
}

Symmetry::Symmetry(const std::vector<std::pair<Peer, Request>>& requests,
                   uint32_t peers,
                   bool exchangesMessages)
    : m_requests(requests)
{
    const auto isLike = [&](uint32_t a, uint32_t b) {
        const auto& [fromA, first] = requests[a];
        const auto& [fromB, second] = requests[b];
        return fromA == fromB && first.to == second.to && first.bytes == second.bytes &&
               first.flags == second.flags;
    };
    std::vector<std::vector<uint32_t>> scripts(peers);
    for (uint32_t i = 0; i < requests.size(); ++i)
    {
        uint32_t like = 0;
        while (!isLike(like, i))
        {
            ++like;
        }
        m_classes.push_back(exchangesMessages ? like : i);
        scripts[requests[i].first].push_back(i);
    }
    Exchange exchange;
    exchange.peers.resize(peers);
    std::iota(exchange.peers.begin(), exchange.peers.end(), 0);
    do
    {
        exchange.messages.assign(requests.size(), 0);
        bool fits = true;
        for (Peer peer = 0; peer < peers && fits; ++peer)
        {
            const auto& mine = scripts[peer];
            const auto& other = scripts[exchange.peers[peer]];
            fits = mine.size() == other.size();
            for (std::size_t i = 0; fits && i < mine.size(); ++i)
            {
                const Request& from = requests[mine[i]].second;
                const Request& to = requests[other[i]].second;
                fits = from.bytes == to.bytes && from.flags == to.flags &&
                       (from.to < peers ? exchange.peers[from.to] : from.to) == to.to;
                exchange.messages[mine[i]] = other[i];
            }
        }
        if (fits)
        {
            m_exchanges.push_back(exchange);
        }
    } while (peers <= MOST_EXCHANGED &&
             std::next_permutation(exchange.peers.begin(), exchange.peers.end()));
}

void
Symmetry::Restrict(Scratch& scratch)
{
    ListNames(scratch);
    const uint64_t first = GetPrint(scratch, m_exchanges.front());
    std::erase_if(m_exchanges,
                  [&](const Exchange& other) { return GetPrint(scratch, other) != first; });
}

uint64_t
Symmetry::GetPrint(Scratch& scratch) const
{
    ListNames(scratch);
    uint64_t smallest = std::numeric_limits<uint64_t>::max();
    for (const auto& exchange : m_exchanges)
    {
        smallest = std::min(smallest, GetPrint(scratch, exchange));
    }
    return smallest;
}

uint32_t
Symmetry::NumberId(Peer from, uint64_t id)
{
    const auto number = static_cast<uint32_t>(m_idNames.size());
    const auto [place, isNew] = m_idNames.try_emplace({from, id}, number);
    if (isNew)
    {
        m_ids.Make(number) = Id{from, id};
    }
    return place->second;
}

void
Symmetry::ListNames(Scratch& scratch) const
{
    for (const auto& present : scratch.present)
    {
        scratch.place[present.name] = 0;
    }
    scratch.present.clear();
    for (const auto& part : scratch.state.parts)
    {
        for (const auto& atom : *part.atoms)
        {
            const bool isId = atom.kind == Outline::Kind::ID;
            if (!isId && atom.kind != Outline::Kind::MESSAGE)
            {
                continue;
            }
            const uint32_t name = isId ? FIRST_ID + atom.name : atom.name;
            if (name >= scratch.place.size())
            {
                scratch.place.resize(name + FIRST_ID, 0);
            }
            if (scratch.place[name] == 0)
            {
                Scratch::Present present;
                present.name = name;
                present.order = isId ? m_ids[atom.name].value : atom.name;
                scratch.present.push_back(present);
                scratch.place[name] = static_cast<uint32_t>(scratch.present.size());
            }
        }
    }
}

uint64_t
Symmetry::GetColour(const State& state, uint32_t message, const Exchange& exchange) const
{
    if (!(state.posted >> message & 1))
    {
        return Mix(PENDING_SEED, exchange.messages[message]);
    }
    uint64_t delivered = 0;
    for (Peer peer = 0; peer < state.delivered.size(); ++peer)
    {
        delivered |= (state.delivered[peer] >> message & 1) << exchange.peers[peer];
    }
    const uint64_t stage = (state.ended >> message & 1) | (state.left >> message & 1) << 1;
    return Mix(Mix(m_classes[exchange.messages[message]], stage), delivered);
}

uint64_t
Symmetry::GetPrint(Scratch& scratch, const Exchange& exchange) const
{
    auto& present = scratch.present;
    for (auto& one : present)
    {
        one.first = one.name >= FIRST_ID
                        ? Mix(FIRST_ID, exchange.peers[m_ids[one.name - FIRST_ID].from])
                        : GetColour(scratch.state, one.name, exchange);
        one.colour = one.first;
    }
    auto& sorted = scratch.sorted;
    sorted.resize(present.size());
    std::iota(sorted.begin(), sorted.end(), 0);
    scratch.value.resize(present.size());
    for (uint32_t round = 0; present.size() > 1; ++round)
    {
        std::sort(sorted.begin(), sorted.end(), [&](uint32_t a, uint32_t b) {
            return std::tie(present[a].colour, present[a].order) <
                   std::tie(present[b].colour, present[b].order);
        });
        const auto alike =
            std::adjacent_find(sorted.begin(), sorted.end(), [&](uint32_t a, uint32_t b) {
                return present[a].colour == present[b].colour;
            });
        if (alike == sorted.end() || round == MOST_ROUNDS)
        {
            break;
        }
        for (std::size_t i = 0; i < present.size(); ++i)
        {
            scratch.value[i] = present[i].colour;
            present[i].sum = 0;
        }
        for (const auto& part : scratch.state.parts)
        {
            Scan(part, scratch, exchange, true);
        }
        for (auto& one : present)
        {
            one.colour = Mix(one.colour, one.sum);
        }
    }
    for (std::size_t rank = 0; rank < sorted.size(); ++rank)
    {
        scratch.value[sorted[rank]] = Mix(present[sorted[rank]].first, rank);
    }
    const State& state = scratch.state;
    uint64_t sum = state.salt;
    for (const auto& part : state.parts)
    {
        sum += Scan(part, scratch, exchange, false);
    }
    for (uint64_t left = state.posted; left != 0; left &= left - 1)
    {
        const auto message = static_cast<uint32_t>(std::countr_zero(left));
        if (message >= scratch.place.size() || scratch.place[message] == 0)
        {
            sum += Mix(ITEM_SEED, GetColour(state, message, exchange));
        }
    }
    return Mix(sum, ITEM_SEED);
}

uint64_t
Symmetry::Scan(const Part& part, Scratch& scratch, const Exchange& exchange, bool collects) const
{
    const uint64_t seed =
        Mix(part.salt, uint64_t{exchange.peers[part.from]} << 32 | exchange.peers[part.to]);
    auto& marks = scratch.marks;
    marks.clear();
    std::size_t firstMark = 0;
    const auto flush = [&](uint64_t hash) {
        for (std::size_t i = firstMark; i < marks.size(); ++i)
        {
            scratch.present[marks[i].first].sum += Mix(seed, Mix(hash, marks[i].second));
        }
        marks.resize(firstMark);
    };
    uint64_t hash = seed;
    uint64_t outer = 0;
    uint64_t total = 0;
    bool inItem = false;
    for (const auto& atom : *part.atoms)
    {
        switch (atom.kind)
        {
        case Outline::Kind::WORD:
            hash = Mix(hash, atom.word);
            break;
        case Outline::Kind::PEER:
            hash = Mix(Mix(hash, atom.word),
                       atom.name < exchange.peers.size() ? exchange.peers[atom.name] : atom.name);
            break;
        case Outline::Kind::MESSAGE:
        case Outline::Kind::ID: {
            const uint32_t name = atom.kind == Outline::Kind::ID ? FIRST_ID + atom.name : atom.name;
            const uint32_t place = scratch.place[name] - 1;
            hash = Mix(Mix(hash, atom.word), scratch.value[place]);
            if (collects)
            {
                marks.emplace_back(place, marks.size());
            }
            break;
        }
        case Outline::Kind::SET:
            hash = Mix(hash, atom.word);
            outer = hash;
            total = 0;
            inItem = false;
            firstMark = marks.size();
            break;
        case Outline::Kind::ITEM:
        case Outline::Kind::END:
            if (inItem)
            {
                hash = Mix(hash, atom.word);
                total += Mix(hash, ITEM_SEED);
                flush(hash);
            }
            inItem = atom.kind == Outline::Kind::ITEM;
            hash = inItem ? ITEM_SEED : Mix(outer, total);
            firstMark = inItem ? firstMark : 0;
            break;
        }
    }
    flush(hash);
    return Mix(hash, ITEM_SEED);
}

} // namespace messaging
} // namespace ns3
