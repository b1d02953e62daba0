import type { RelayCaller } from '../admission.ts'
import { refuseGroup, refuseModel } from '../admission.ts'
import { priceOf } from '../charge/reserve.ts'
import type { RelayDependencies } from '../relay-dependencies.ts'
import { RelayError } from '../relay-error.ts'
import type { Candidate } from '../routing/candidates.ts'
import type { SessionCall } from './session-call.ts'

/**
 * Refuses that a session goes on where the same session would not be opened any more: by the model, the group or the price, or on the channel and the
 * key that serve it. A channel that drains, or that the gateway itself has taken out, keeps its sessions: they end where their upstream ends them.
 * @param caller as it is admitted by now
 * @throws RelayError
 */
export function refuseSession(
  call: SessionCall,
  caller: RelayCaller,
  candidate: Pick<Candidate, 'channel' | 'keyIndex'>,
  deps: RelayDependencies,
): void {
  refuseModel(caller, call.request.model)
  refuseGroup(caller, deps)
  priceOf({ ...call, caller }, deps)
  if (serves(call, caller, candidate, deps)) return
  throw new RelayError(
    'no_available_channel',
    `What served the model ${call.request.model} was taken out of service. Open another session.`,
    { param: 'model' },
  )
}

function serves(
  { request: { model } }: SessionCall,
  { group, pinnedChannelId }: RelayCaller,
  { channel: { id, keys }, keyIndex }: Pick<Candidate, 'channel' | 'keyIndex'>,
  { channels }: Pick<RelayDependencies, 'channels'>,
): boolean {
  const now = channels.snapshot.channel(id)
  if (now === undefined || (now.status === 'disabled' && now.drain === undefined)) return false
  const key = now.keys.indexOf(keys[keyIndex] ?? '')
  if (key === -1 || now.disabledKeys.get(key)?.isManual) return false
  return pinnedChannelId === id || (now.models.has(model) && now.groups.includes(group))
}
