--------------------------- MODULE alternating_bit ---------------------------
(* SPDX-License-Identifier: GPL-2.0-only                                     *)
(* The alternating bit between two peers over channels that lose frames, as  *)
(* the search of bench/explorer.cc sees it: the same events, the same bound  *)
(* of the channels, the same states.                                         *)
EXTENDS Naturals, Sequences

CONSTANTS Messages, \* messages that each of the peers 0 and 1 posts
          Capacity  \* most frames in flight from one peer to the other

VARIABLES posted,   \* messages posted
          busy,     \* the last of them is in flight, and its timer is armed
          bit,      \* its bit
          expected, \* bit of the next message from the other peer
          got,      \* messages delivered
          sound,    \* every message was delivered once and in order
          channel   \* frames in flight from each peer, the oldest first

vars == <<posted, busy, bit, expected, got, sound, channel>>

Peers == {0, 1}

Frame(kind, b, id) == [kind |-> kind, bit |-> b, id |-> id]

Put(line, frame) == IF Len(line) < Capacity THEN Append(line, frame) ELSE line

Init == /\ posted = [p \in Peers |-> 0]
        /\ busy = [p \in Peers |-> FALSE]
        /\ bit = [p \in Peers |-> 0]
        /\ expected = [p \in Peers |-> 0]
        /\ got = [p \in Peers |-> 0]
        /\ sound = TRUE
        /\ channel = [p \in Peers |-> <<>>]

Post(p) == /\ posted[p] < Messages
           /\ ~busy[p]
           /\ posted' = [posted EXCEPT ![p] = @ + 1]
           /\ busy' = [busy EXCEPT ![p] = TRUE]
           /\ channel' = [channel EXCEPT ![p] = Put(@, Frame("data", bit[p], posted[p]))]
           /\ UNCHANGED <<bit, expected, got, sound>>

Repeat(p) == /\ busy[p]
             /\ channel' = [channel EXCEPT ![p] = Put(@, Frame("data", bit[p], posted[p] - 1))]
             /\ UNCHANGED <<posted, busy, bit, expected, got, sound>>

Lose(p) == /\ channel[p] # <<>>
           /\ channel' = [channel EXCEPT ![p] = Tail(@)]
           /\ UNCHANGED <<posted, busy, bit, expected, got, sound>>

TakeAck(p) == LET frame == Head(channel[1 - p])
                  isNew == busy[p] /\ frame.bit = bit[p]
              IN /\ channel[1 - p] # <<>>
                 /\ frame.kind = "ack"
                 /\ busy' = [busy EXCEPT ![p] = @ /\ ~isNew]
                 /\ bit' = [bit EXCEPT ![p] = IF isNew THEN 1 - @ ELSE @]
                 /\ channel' = [channel EXCEPT ![1 - p] = Tail(@)]
                 /\ UNCHANGED <<posted, expected, got, sound>>

TakeData(p) == LET frame == Head(channel[1 - p])
                   isNew == frame.bit = expected[p]
                   ack == Frame("ack", frame.bit, frame.id)
               IN /\ channel[1 - p] # <<>>
                  /\ frame.kind = "data"
                  /\ expected' = [expected EXCEPT ![p] = IF isNew THEN 1 - @ ELSE @]
                  /\ got' = [got EXCEPT ![p] = IF isNew THEN @ + 1 ELSE @]
                  /\ sound' = (sound /\ (isNew => frame.id = got[p]))
                  /\ channel' = [channel EXCEPT ![1 - p] = Tail(@), ![p] = Put(@, ack)]
                  /\ UNCHANGED <<posted, busy, bit>>

Next == \E p \in Peers : Post(p) \/ Repeat(p) \/ Lose(p) \/ TakeAck(p) \/ TakeData(p)

Spec == Init /\ [][Next]_vars

Sound == sound
==============================================================================
