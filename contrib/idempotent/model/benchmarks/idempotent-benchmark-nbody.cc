/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "idempotent-benchmark-nbody.h"

#include "ns3/nstime.h"

#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <vector>

namespace ns3
{
namespace idempotent
{

namespace
{

/// A vector in space.
using Space = std::array<double, 3>;

/// One body.
struct Body
{
    Space position{}; ///< Position.
    Space velocity{}; ///< Velocity.
    double mass{0};   ///< Mass.
};

/// Square of a length that limits the force between close bodies.
constexpr double SOFTENING = 1e-2;

/// Length of a time step.
constexpr double TIME_STEP = 1e-3;

/**
 * Adds the force of one body on another.
 *
 * @param force sum to add to
 * @param on position of the body attracted
 * @param by position of the body attracting
 * @param mass mass of the body attracting
 */
void
Attract(Space& force, const Space& on, const Space& by, double mass)
{
    const Space way{by[0] - on[0], by[1] - on[1], by[2] - on[2]};
    const double square = way[0] * way[0] + way[1] * way[1] + way[2] * way[2] + SOFTENING;
    const double strength = mass / (square * std::sqrt(square));
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
        force[axis] += strength * way[axis];
    }
}

/**
 * Moves a body by one time step.
 *
 * @param body the body
 * @param force acceleration by all others
 */
void
Integrate(Body& body, const Space& force)
{
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
        body.velocity[axis] += TIME_STEP * force[axis];
        body.position[axis] += TIME_STEP * body.velocity[axis];
    }
}

/// The program. Nodes form a square, row by row, with one body each.
class NbodyProgram
{
  public:
    /// @param parameters checked parameters
    explicit NbodyProgram(const BenchmarkParameters& parameters)
        : m_parameters(parameters),
          m_recorder(parameters.nodes, parameters.machine),
          m_side(GetSide(parameters.nodes)),
          m_words(parameters.storesPerPeer * parameters.wordsPerStore),
          m_rowBodies(m_recorder.Allocate(m_side * m_words)),
          m_columnBodies(m_recorder.Allocate(m_side * m_words)),
          m_forces(m_recorder.Allocate(m_side * FORCE_WORDS)),
          m_tree(parameters.nodes, parameters.arity),
          m_bodies(parameters.nodes)
    {
        DataGenerator generator(parameters.seed);
        for (Body& body : m_bodies)
        {
            for (std::size_t axis = 0; axis < 3; ++axis)
            {
                body.position[axis] = generator.NextReal();
                body.velocity[axis] = generator.NextReal() - 0.5;
            }
            body.mass = (0.5 + generator.NextReal()) / parameters.nodes;
        }
        m_expected = m_bodies;
    }

    /// @return the trace, or the first error of the result
    TraceOrError Run()
    {
        // With barriers, each node has a thread from the beginning; else the first one forks.
        uint32_t threads = 1;
        if (m_parameters.control == PhaseControl::BARRIERS)
        {
            threads = m_parameters.nodes;
        }
        for (uint32_t node = 0; node < threads; ++node)
        {
            m_threads.push_back(m_recorder.Start(node));
        }
        for (uint32_t i = 0; i < m_parameters.iterations; ++i)
        {
            Phase([this](uint32_t node) { Broadcast(node); });
            Phase([this](uint32_t node) { ReturnForces(node); });
            for (uint32_t node = 0; node < m_parameters.nodes; ++node)
            {
                Integrate(m_bodies[node], SumForces(node));
            }
        }
        return {.trace = m_recorder.Finish(), .error = Compare()};
    }

  private:
    /**
     * Runs a phase on all nodes and waits for its end on all.
     *
     * @param phase the work of a node's thread
     */
    void Phase(const std::function<void(uint32_t)>& phase)
    {
        if (m_parameters.control == PhaseControl::FORKED)
        {
            Fork(0, phase);
            return;
        }
        for (uint32_t node = 0; node < m_parameters.nodes; ++node)
        {
            m_recorder.Switch(m_threads[node]);
            phase(node);
        }
        Barrier();
    }

    /**
     * Runs a phase on a subtree of nodes, forking its threads.
     *
     * @param node root of the subtree
     * @param phase the work of a node's thread
     */
    void Fork(uint32_t node, const std::function<void(uint32_t)>& phase)
    {
        const auto run = [&](uint32_t child) {
            Fork(child, phase);
            return Word{0};
        };
        ForkParts(m_recorder, m_tree.GetChildren(node), std::identity(), run, [&] { phase(node); });
    }

    /// Barrier: each thread joins its parent after its children, and continues after its parent.
    void Barrier()
    {
        std::vector<JoinCapability> arrivals(m_parameters.nodes);
        std::vector<JoinCapability> releases(m_parameters.nodes);
        for (uint32_t node = 0; node < m_parameters.nodes; ++node)
        {
            m_recorder.Switch(m_threads[node]);
            releases[node] = m_recorder.NewJoinCapability();
            for (const uint32_t child : m_tree.GetChildren(node))
            {
                arrivals[child] = m_recorder.NewJoinCapability();
            }
        }
        for (uint32_t node = m_parameters.nodes; node-- > 0;)
        {
            m_recorder.Switch(m_threads[node]);
            for (const uint32_t child : m_tree.GetChildren(node))
            {
                m_recorder.Sync(arrivals[child]);
            }
            if (node != 0)
            {
                m_recorder.Join(arrivals[node], 0);
            }
        }
        for (uint32_t node = 0; node < m_parameters.nodes; ++node)
        {
            m_recorder.Switch(m_threads[node]);
            if (node != 0)
            {
                m_recorder.Sync(releases[node]);
            }
            for (const uint32_t child : m_tree.GetChildren(node))
            {
                m_recorder.Join(releases[child], 0);
            }
        }
    }

    /// @param node node whose thread sends its body to its row and its column
    void Broadcast(uint32_t node)
    {
        const uint32_t row = node / m_side;
        const uint32_t column = node % m_side;
        const std::vector<Word> record = Pack(m_bodies[node]);
        const auto sendToRow = [&](uint32_t peer) {
            Send(row * m_side + peer, m_rowBodies + column * m_words, record);
        };
        const auto sendToColumn = [&](uint32_t peer) {
            Send(peer * m_side + column, m_columnBodies + row * m_words, record);
        };
        const bool interleaved = m_parameters.broadcast == BroadcastOrder::INTERLEAVED;
        for (uint32_t peer = 0; peer < m_side; ++peer)
        {
            sendToRow(peer);
            if (interleaved)
            {
                sendToColumn(peer);
            }
        }
        for (uint32_t peer = 0; peer < m_side && !interleaved; ++peer)
        {
            sendToColumn(peer);
        }
        m_recorder.Wait();
    }

    /**
     * Stores a body's record on a peer.
     *
     * @param peer the peer
     * @param offset destination offset
     * @param record the record
     */
    void Send(uint32_t peer, uint32_t offset, const std::vector<Word>& record)
    {
        for (uint32_t word = 0; word < m_words; word += m_parameters.wordsPerStore)
        {
            m_recorder.Store({peer, offset + word},
                             std::span(record).subspan(word, m_parameters.wordsPerStore));
            m_recorder.Time(m_parameters.storeInterval);
        }
    }

    /// @param node node whose thread computes the forces of its column on its row
    void ReturnForces(uint32_t node)
    {
        const uint32_t row = node / m_side;
        const uint32_t column = node % m_side;
        m_recorder.Time(m_parameters.computeTime);
        for (uint32_t place = 0; place < m_side; ++place)
        {
            const Body on = Unpack(node, m_rowBodies + place * m_words);
            Space force{};
            for (uint32_t other = 0; other < m_side; ++other)
            {
                if (place != column || other != row)
                {
                    const Body by = Unpack(node, m_columnBodies + other * m_words);
                    Attract(force, on.position, by.position, by.mass);
                }
            }
            std::vector<Word> words;
            for (const double component : force)
            {
                Append(words, component);
            }
            m_recorder.Store({row * m_side + place, m_forces + column * FORCE_WORDS}, words);
        }
        m_recorder.Wait();
    }

    /**
     * Adds up the partial forces returned by a node's row. computeTime includes the time.
     *
     * @param node the node
     * @return the force on its body
     */
    Space SumForces(uint32_t node)
    {
        Space force{};
        for (uint32_t place = 0; place < m_side; ++place)
        {
            for (uint32_t axis = 0; axis < 3; ++axis)
            {
                force[axis] += Real(node, m_forces + place * FORCE_WORDS + 2 * axis);
            }
        }
        return force;
    }

    /**
     * Appends a number as two words.
     *
     * @param words the words, extended
     * @param number the number
     */
    static void Append(std::vector<Word>& words, double number)
    {
        const auto bits = std::bit_cast<uint64_t>(number);
        words.push_back(static_cast<Word>(bits));
        words.push_back(static_cast<Word>(bits >> 32));
    }

    /**
     * Reads a number of two words.
     *
     * @param node its node
     * @param offset its first word
     * @return the number
     */
    double Real(uint32_t node, uint32_t offset)
    {
        const uint64_t low = m_recorder.Peek({node, offset});
        const uint64_t high = m_recorder.Peek({node, offset + 1});
        return std::bit_cast<double>(low | (high << 32));
    }

    /**
     * Makes the record of a body: position and mass, then as much of its velocity as fits, then
     * zeros.
     *
     * @param body the body
     * @return its words
     */
    std::vector<Word> Pack(const Body& body) const
    {
        std::vector<Word> words;
        for (const double number : {body.position[0],
                                    body.position[1],
                                    body.position[2],
                                    body.mass,
                                    body.velocity[0],
                                    body.velocity[1],
                                    body.velocity[2]})
        {
            Append(words, number);
        }
        words.resize(m_words, 0);
        return words;
    }

    /**
     * Reads a record.
     *
     * @param node its node
     * @param offset its first word
     * @return the body's position and mass
     */
    Body Unpack(uint32_t node, uint32_t offset)
    {
        Body body;
        for (uint32_t axis = 0; axis < 3; ++axis)
        {
            body.position[axis] = Real(node, offset + 2 * axis);
        }
        body.mass = Real(node, offset + 6);
        return body;
    }

    /// @return empty if all positions are right, else the first difference
    std::string Compare()
    {
        // The partial sums differ in order only; a wrong or missing pair causes a far larger
        // difference.
        static constexpr double TOLERANCE = 1e-9;
        for (uint32_t i = 0; i < m_parameters.iterations; ++i)
        {
            std::vector<Space> forces(m_expected.size());
            for (std::size_t on = 0; on < m_expected.size(); ++on)
            {
                for (std::size_t by = 0; by < m_expected.size(); ++by)
                {
                    if (on != by)
                    {
                        Attract(forces[on],
                                m_expected[on].position,
                                m_expected[by].position,
                                m_expected[by].mass);
                    }
                }
            }
            for (std::size_t body = 0; body < m_expected.size(); ++body)
            {
                Integrate(m_expected[body], forces[body]);
            }
        }
        for (uint32_t node = 0; node < m_parameters.nodes; ++node)
        {
            for (std::size_t axis = 0; axis < 3; ++axis)
            {
                if (!(std::abs(m_bodies[node].position[axis] - m_expected[node].position[axis]) <
                      TOLERANCE) ||
                    !(std::abs(m_bodies[node].velocity[axis] - m_expected[node].velocity[axis]) <
                      TOLERANCE))
                {
                    return "The body of node " + std::to_string(node) +
                           " differs from the direct computation.";
                }
            }
        }
        return {};
    }

    const BenchmarkParameters& m_parameters; ///< Parameters.
    Recorder m_recorder;                     ///< The machine.
    uint32_t m_side;                         ///< Nodes of a row or column.
    uint32_t m_words;                        ///< Length of a body's record [words].
    uint32_t m_rowBodies;                    ///< Offset of the records of the own row, by column.
    uint32_t m_columnBodies;                 ///< Offset of the records of the own column, by row.
    uint32_t m_forces;               ///< Offset of partial forces, by column of their origin.
    NodeTree m_tree;                 ///< Tree of barriers and forks.
    std::vector<Body> m_bodies;      ///< Bodies by node.
    std::vector<Body> m_expected;    ///< Bodies of the direct computation.
    std::vector<uint32_t> m_threads; ///< Threads by node.
};

} // namespace

TraceOrError
RecordNbody(const BenchmarkParameters& parameters)
{
    return NbodyProgram(parameters).Run();
}

} // namespace idempotent
} // namespace ns3
