# SPDX-License-Identifier: GPL-2.0-only
"""
Closed forms of the time of a message on one long link [SDR, arXiv 2505.05366, as notes on it have them].

They are computed here independently of `sdr-closed-forms.h`, with which a test compares them. Times are in
microseconds, from the first packet until the sender knows that the message has arrived. A chunk is lost with
probability `loss`, each time that it is sent.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

NEGLIGIBLE = 1e-9
"""Probabilities below this one are left out."""

MOST_TIMES = 100
"""Most times of selective repeat behind one time with parity; further ones are interpolated."""

REPEAT, XOR, MDS = "selective-repeat", "xor", "mds"

SCHEMES = (REPEAT, XOR, MDS)
"""Schemes, by the names of `protocol.scheme`."""


@dataclass(frozen=True)
class Link:
    """
    A long link, and how chunks are protected.

    Attributes
    ----------
    chunk : float
        Time to inject a chunk [us].
    round_trip : float
        Round trip [us].
    timeout, slack : float
        Timeout of a chunk, and time that is added to the fallback timeout [us].
    loss : float
        Probability that a chunk is lost.
    data, parity : int
        Chunks of a submessage, k and m.
    """

    chunk: float
    round_trip: float
    timeout: float
    slack: float
    loss: float
    data: int = 32
    parity: int = 8


@dataclass(frozen=True)
class Moments:
    """Mean and standard deviation of a time [us]."""

    mean: float
    deviation: float


def chunk_loss(packet_loss: float, packets: int) -> float:
    """Probability that a chunk of several packets is lost."""
    return -math.expm1(packets * math.log1p(-packet_loss))


def _binomial(trials: int, probability: float, hits: int) -> float:
    """Probability of a number of hits."""
    if probability <= 0 or probability >= 1:
        return float(hits == (0 if probability <= 0 else trials))
    ways = math.lgamma(trials + 1) - math.lgamma(hits + 1) - math.lgamma(trials - hits + 1)
    return math.exp(ways + hits * math.log(probability) + (trials - hits) * math.log1p(-probability))


def decodes(scheme: str, link: Link, data: int) -> float:
    """Probability that a submessage of some data chunks and their parity is recoverable."""
    parity = -(-data * link.parity // link.data)
    if scheme == MDS or data == 1:
        return min(sum(_binomial(data + parity, link.loss, lost) for lost in range(parity + 1)), 1.0)
    groups = [data // parity + (group < data % parity) + 1 for group in range(parity)]
    return math.prod(sum(_binomial(chunks, link.loss, lost) for lost in (0, 1)) for chunks in groups)


def repeat_time(link: Link, chunks: int) -> Moments:
    """
    Time of a message by selective repeat: the slowest chunk, and a round trip.

    Chunk i is sent first at i T, and again a timeout after each loss. So all have arrived by q with probability
    F(q) = prod (1 - P^n), n the transmissions of a chunk that have ended by q; the mean is the integral of 1 - F.
    """
    begin = chunks * link.chunk
    period = link.timeout + link.chunk
    places = np.arange(1, chunks + 1) * link.chunk
    logarithm, times, changes = 0.0, [], []
    sent, remaining = 1, 1.0
    while remaining > NEGLIGIBLE and link.loss > 0:
        before = link.loss**sent
        change = math.log1p(-before * link.loss) - math.log1p(-before)
        ends = places + sent * period
        if sent == 1:
            logarithm += chunks * math.log1p(-link.loss)
        logarithm += change * int((ends <= begin).sum())
        late = ends[ends > begin]
        times.append(late)
        changes.append(np.full(len(late), change))
        remaining = chunks * before * link.loss
        sent += 1
    steps = np.concatenate(times) if times else np.empty(0)
    order = np.argsort(steps, kind="stable")
    steps = steps[order]
    logarithms = (
        logarithm + np.concatenate([[0.0], np.cumsum(np.concatenate(changes)[order])[:-1]]) if len(steps) else 0
    )
    open_share = -np.expm1(logarithms) if len(steps) else np.empty(0)
    moments = np.concatenate([[begin], steps]) + link.round_trip
    first = moments[0] + float((open_share * np.diff(moments)).sum())
    second = moments[0] ** 2 + float((open_share * np.diff(moments**2)).sum())
    return Moments(float(first), math.sqrt(max(second - first * first, 0.0)))


def coded_time(scheme: str, link: Link, chunks: int) -> Moments:
    """
    Time of a message by parity: its injection and a round trip; if submessages fail, the fallback.

    The fallback is a round trip, the slack, and selective repeat of the chunks of all submessages that have failed.
    """
    full, rest = divmod(chunks, link.data)
    injection = (chunks + full * link.parity + -(-rest * link.parity // link.data)) * link.chunk
    failure = 1 - decodes(scheme, link, link.data)
    rest_failure = 1 - decodes(scheme, link, rest) if rest else 0.0
    likely = [(failed, _binomial(full, failure, failed)) for failed in range(full + 1)]
    likely = [(failed, chance) for failed, chance in likely if chance >= NEGLIGIBLE]
    first = second = 0.0
    for fails in (False, True):
        times = _repeats(link, [failed * link.data + (rest if fails else 0) for failed, _ in likely])
        for (_, chance), again in zip(likely, times, strict=True):
            weight = chance * (rest_failure if fails else 1 - rest_failure)
            if weight < NEGLIGIBLE:
                continue
            mean = injection + again.mean
            first += weight * mean
            second += weight * (mean * mean + again.deviation**2)
    return Moments(first, math.sqrt(max(second - first * first, 0.0)))


def _repeats(link: Link, chunks: list[int]) -> list[Moments]:
    """
    Times after the injection, for rising numbers of chunks that are sent again.

    Of more than `MOST_TIMES` numbers, that many are computed, and the others are interpolated.
    """
    stride = -(-len(chunks) // MOST_TIMES)
    computed = chunks[::stride] + ([chunks[-1]] if (len(chunks) - 1) % stride else [])
    fallback = link.round_trip + link.slack
    moments = [repeat_time(link, count) if count else Moments(link.round_trip - fallback, 0.0) for count in computed]
    means, deviations = (
        np.interp(chunks, computed, [getattr(one, name) for one in moments]) for name in ("mean", "deviation")
    )
    return [Moments(float(mean) + fallback, float(spread)) for mean, spread in zip(means, deviations, strict=True)]


def completion_time(scheme: str, link: Link, chunks: int) -> Moments:
    """Mean and standard deviation of the time of a message [us]."""
    return repeat_time(link, chunks) if scheme == REPEAT else coded_time(scheme, link, chunks)
