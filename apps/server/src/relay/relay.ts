import type { Reply } from '@tollgate/http/server'
import type { Reservation, ReserveRefusal } from '../billing/ledger-types.ts'
import { estimateOf } from '../billing/pricing/charge.ts'
import type { Price } from '../billing/pricing/price.ts'
import { findPrice } from '../billing/pricing/price-table.ts'
import type { ChannelSnapshot } from '../channels/routing-types.ts'
import { together } from '../lib/tick-batch.ts'
import { isUsableGroup } from '../settings/groups.ts'
import { type RelayCaller, refuseModel } from './admission.ts'
import { firstAnswer } from './attempts.ts'
import type { RelayCall } from './call.ts'
import { countedUsage } from './counted-usage.ts'
import { type Planned, plan, planOne } from './plan.ts'
import type { RelayDependencies } from './relay-dependencies.ts'
import { RelayError } from './relay-error.ts'
import { streamAnswer } from './stream-answer.ts'
import { Till } from './till.ts'
import { settleWhole, wholeAnswer } from './whole-answer.ts'

const refusals: Readonly<Record<ReserveRefusal, (balance: number, needed: number) => RelayError>> = {
  'user-quota': (balance, needed) =>
    new RelayError(
      'insufficient_user_quota',
      `Insufficient quota: the balance is ${balance} and this call may need ${needed}. Top up, or ask for less output.`,
    ),
  'token-quota': (balance, needed) =>
    new RelayError(
      'insufficient_token_quota',
      `Insufficient quota of this key: ${balance} is left and this call may need ${needed}. Raise the key's quota.`,
    ),
  'journal-full': () =>
    new RelayError(
      'not_admitting',
      'The gateway cannot record charges right now and takes no calls. Try again later.',
    ),
  'account-unknown': () =>
    new RelayError('database_unavailable', 'The balance cannot be checked right now. Try again shortly.'),
}

/** What an answer without a limit is taken to be at its longest, while nobody knows: a usual default of vendors. */
const longOutputTokens = 4096

/**
 * Takes an admitted call all the way: price, route, reserve, attempts, answer. What it returns is settled when its
 * last byte is handed over; what it throws (always a `RelayError`) has charged nothing.
 */
export async function relay(call: RelayCall, deps: RelayDependencies): Promise<Reply> {
  const { caller, request } = call
  refuseModel(caller, request.model)
  refuseGroup(caller, deps)
  const planned = route(call, deps)
  const price = priceOf(call, deps)
  call.trail.routedMs = deps.clock.now() - call.receivedAt
  const till = new Till(call, price, reserve(call, price, deps), deps.till)
  const entry = deps.inFlight.enter(call.connection)
  try {
    const { candidate, begun } = await firstAnswer(call, planned, deps, entry)
    if (begun.kind === 'stream') return streamAnswer(call, candidate, begun, till, deps, entry)
    call.trail.firstTokenMs = deps.clock.now() - call.receivedAt
    const { usage } = begun.answer
    const counted =
      usage === undefined
        ? await countedUsage(call.request, begun.answer.delivered())
        : { usage, estimated: false }
    await together
    settleWhole(call, candidate, counted, till)
    // The first of a convoy to come here records the charges of all.
    await together
    till.record()
    entry.leave()
    return wholeAnswer(call, begun)
  } catch (error) {
    till.release()
    entry.leave()
    throw error
  }
}

/** A key may name a group that has since been closed to its owner, or that no longer exists. */
export function refuseGroup(caller: RelayCaller, { settings }: Pick<RelayDependencies, 'settings'>): void {
  const group = caller.token?.group ?? ''
  if (group === '') return
  const { current } = settings
  if (isUsableGroup(current, caller.user.group, group) && Object.hasOwn(current.GroupRatio, group)) return
  throw new RelayError(
    'group_not_allowed',
    `You cannot use the group ${group} of this key. Choose another for it.`,
  )
}

function priceOf({ caller, request }: RelayCall, deps: RelayDependencies): Price {
  const price = findPrice(
    deps.settings.current,
    request.model,
    caller.group,
    caller.user.acceptsUnpricedModels,
  )
  if (price !== 'unpriced') return price
  throw new RelayError(
    'model_price_error',
    `The model ${request.model} has no price yet. Ask the administrator to set one, or to switch on self-use mode.`,
    { param: 'model' },
  )
}

function route({ caller, request }: RelayCall, deps: RelayDependencies): Planned {
  const { snapshot } = deps.channels
  if (caller.pinnedChannelId !== undefined) return pinned(caller.pinnedChannelId, snapshot)
  const planned = plan(request.model, caller.group, snapshot, deps.random)
  if (planned !== undefined) return planned
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

function pinned(id: number, snapshot: ChannelSnapshot): Planned {
  const channel = snapshot.channel(id)
  if (channel === undefined) throw new RelayError('channel_pin_invalid', `There is no channel ${id}.`)
  if (channel.status !== 'enabled') throw new RelayError('channel_disabled', `Channel ${id} is disabled.`)
  return planOne(channel)
}

function reserve({ caller, request }: RelayCall, price: Price, deps: RelayDependencies): Reservation {
  if (!deps.admitting()) throw refusals['journal-full'](0, 0)
  const promptTokens = request.roughPromptTokens()
  const { maxOutputTokens, answers } = request
  const assumed = deps.settings.current.PreConsumedQuota * answers
  const long = { promptTokens, maxOutputTokens: longOutputTokens * answers }
  const result = deps.ledger.reserve({
    userId: caller.user.id,
    token: caller.token,
    estimate: estimateOf({ promptTokens, maxOutputTokens }, price, assumed),
    cautious: maxOutputTokens === undefined ? estimateOf(long, price, 0) : 0,
    model: request.model,
  })
  if (result.ok) return result.reservation
  throw refusals[result.refusal](result.balance, result.needed)
}
