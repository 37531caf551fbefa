/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/error-model.h"
#include "ns3/messaging-attributes.h"
#include "ns3/messaging-fault.h"
#include "ns3/messaging-forwarded-attributes.h"
#include "ns3/messaging-registry.h"
#include "ns3/packet.h"
#include "ns3/pointer.h"

/**
 * @file
 * @ingroup messaging
 * Fault by which ns-3's error models lose frames.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * Losses by an error model of ns-3, such as RateErrorModel, or one of the user's.
 *
 * One model decides on the frames of all peers, in the order of their arrival. At a net device it
 * receives the packet, at a port a packet of the frame's size, header included. Corrupted packets
 * are lost, as at ns-3's devices.
 */
class ErrorModelFault : public Fault
{
  public:
    ErrorModelFault()
        : Fault(FaultStage::LOSS, {"lost by the error model"})
    {
    }

    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    bool IsActive() const override
    {
        return m_model != nullptr;
    }

    std::size_t Decide(const FrameArrival& arrival, FrameFate& fate) override
    {
        const Frame& frame = arrival.frame;
        const auto packet = arrival.packet ? arrival.packet->Copy()
                                           : Create<Packet>(frame.header + GetCarriedBytes(frame));
        if (!m_model->IsCorrupt(packet))
        {
            return NO_EFFECT;
        }
        fate.Lose();
        return 0;
    }

    int64_t AssignStreams(int64_t stream) override;

  private:
    Ptr<ErrorModel> m_model; ///< The error model, or nullptr.
};

NS_OBJECT_ENSURE_REGISTERED(ErrorModelFault);

TypeId
ErrorModelFault::GetTypeId()
{
    static TypeId tid =
        Attributes<ErrorModelFault>(
            SetSummary(TypeId("ns3::messaging::ErrorModelFault"),
                       "Losses by an error model of ns-3, such as RateErrorModel.")
                .SetParent<Fault>()
                .SetGroupName("Messaging")
                .AddConstructor<ErrorModelFault>())
            .AddAttribute("ErrorModel",
                          "Error model of ns-3 that decides which frames are lost, such as "
                          "ns3::RateErrorModel[ErrorRate=0.1|ErrorUnit=ERROR_UNIT_PACKET]; empty "
                          "for none [name; fault].",
                          &ErrorModelFault::m_model,
                          Ptr<ErrorModel>());
    return tid;
}

int64_t
ErrorModelFault::AssignStreams(int64_t stream)
{
    if (!m_model)
    {
        return 0;
    }
    // An ErrorModel has no AssignStreams, but its random variables are attributes.
    int64_t next = stream;
    ForEachSettable(m_model->GetInstanceTypeId(),
                    [this, &next](const TypeId::AttributeInformation& attribute, TypeId) {
                        const auto value = DynamicCast<PointerValue>(attribute.checker->Create());
                        if (!value)
                        {
                            return;
                        }
                        m_model->GetAttribute(attribute.name, *value);
                        if (const auto random = value->Get<RandomVariableStream>())
                        {
                            random->SetStream(next++);
                        }
                    });
    return next - stream;
}

} // namespace messaging
} // namespace ns3
