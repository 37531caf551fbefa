/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RELNET_PRECOMPILED_H
#define RELNET_PRECOMPILED_H

// What most sources include, compiled once. Sources still include what they use, since
// `make tidy` and the build inside an ns-3 tree go without this file.

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/log.h"
#include "ns3/net-device.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/pointer.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/traced-callback.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#endif // RELNET_PRECOMPILED_H
