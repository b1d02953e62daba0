import type { ChannelSnapshot } from '../../channels/routing/routing-types.ts'
import type { ModelRequest, RelayCall } from '../call.ts'
import type { RelayDependencies } from '../relay-dependencies.ts'
import { RelayError } from '../relay-error.ts'
import { affinityOf } from './affinity.ts'
import { plan, planOne, type RoutePlan } from './plan.ts'

/**
 * The channels that may serve a call, in the order in which they are tried.
 * @throws RelayError when no channel serves the model to the caller's group
 */
export function route(call: RelayCall<ModelRequest>, deps: RelayDependencies): RoutePlan {
  const { caller, request } = call
  const { snapshot } = deps.channels
  if (caller.pinnedChannelId !== undefined) return pinned(caller.pinnedChannelId, snapshot)
  const routePlan = plan(request.model, caller.group, snapshot, deps.random, (tiers) =>
    affinityOf(call, tiers, deps.settings),
  )
  if (routePlan !== undefined) {
    call.trace.affinity = routePlan.affinity
    return routePlan
  }
  if (snapshot.knowsModel(request.model)) {
    throw new RelayError(
      'no_available_channel',
      `No channel of group ${caller.group} can serve the model ${request.model} right now. Try again later or use another model.`,
      { param: 'model' },
    )
  }
  throw new RelayError(
    'model_not_found',
    `The model ${request.model} does not exist or you have no access to it. GET /v1/models lists the models you can use.`,
    { param: 'model' },
  )
}

function pinned(id: number, snapshot: ChannelSnapshot): RoutePlan {
  const channel = snapshot.channel(id)
  if (channel === undefined)
    throw new RelayError('channel_pin_invalid', `There is no channel ${id}.`, {
      messageParams: { channel: id },
    })
  if (channel.status !== 'enabled')
    throw new RelayError('channel_disabled', `Channel ${id} is disabled.`, { messageParams: { channel: id } })
  return planOne(channel)
}
