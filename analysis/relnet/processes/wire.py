# SPDX-License-Identifier: GPL-2.0-only
"""Pickled messages over a socket, each preceded by its length, between processes of one user."""

from __future__ import annotations

import pickle
import socket
import struct
from typing import Any

_LENGTH = struct.Struct("=Q")

ENDED = struct.Struct("=i")
"""Wait status of an ended child, written by the fork server."""


def send(channel: socket.socket, message: Any) -> None:
    """Send one message; may block until the other side reads it."""
    body = pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)
    channel.sendall(_LENGTH.pack(len(body)) + body)


def receive(channel: socket.socket) -> Any:
    """
    Wait for one message.

    Raises
    ------
    EOFError
        If the other side has closed the channel.
    """
    return pickle.loads(_exactly(channel, _LENGTH.unpack(_exactly(channel, _LENGTH.size))[0]))


def _exactly(channel: socket.socket, count: int) -> bytes:
    buffer = bytearray(count)
    view = memoryview(buffer)
    while view:
        taken = channel.recv_into(view)
        if taken == 0:
            raise EOFError
        view = view[taken:]
    return bytes(buffer)


class Reader:
    """Reassembles messages of a polled channel."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, piece: bytes) -> list[Any]:
        """
        Add received bytes.

        Parameters
        ----------
        piece : bytes
            Bytes in the order sent.

        Returns
        -------
        list
            The complete messages.
        """
        self._buffer += piece
        messages = []
        start = 0
        while len(self._buffer) - start >= _LENGTH.size:
            end = start + _LENGTH.size + _LENGTH.unpack_from(self._buffer, start)[0]
            if len(self._buffer) < end:
                break
            messages.append(pickle.loads(memoryview(self._buffer)[start + _LENGTH.size : end]))
            start = end
        if start:
            del self._buffer[:start]
        return messages
