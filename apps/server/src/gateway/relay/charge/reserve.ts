import { spokenTokens } from '@tollgate/formats'
import { comparedTexts } from '../../../billing/amount-text.ts'
import type {
  Reservation,
  ReserveRefusal,
  ReserveRequest,
  ReserveResult,
} from '../../../billing/ledger-types.ts'
import { estimateOf } from '../../../billing/pricing/charge.ts'
import { imagePrice } from '../../../billing/pricing/media-price.ts'
import { limitsAfterOverride, type OutputLimits } from '../../../billing/pricing/output-limits.ts'
import type { Price } from '../../../billing/pricing/price.ts'
import { findPrice } from '../../../billing/pricing/price-table.ts'
import { expectedKinds, type TokenKind } from '../../../billing/pricing/token-kinds.ts'
import type { Quota } from '../../../store/units.ts'
import type { ModelRequest, RelayCall } from '../call.ts'
import type { RelayDependencies } from '../relay-dependencies.ts'
import { RelayError } from '../relay-error.ts'
import type { RoutePlan } from '../routing/plan.ts'
import { CallCharge } from './call-charge.ts'
import { CallExposure } from './call-exposure.ts'
import { possibleCosts, pricesAudio } from './counted-usage.ts'

/**
 * The price of a call for its caller's group.
 * @throws RelayError when the model has none
 * @step
 */
export function priceOf(
  { caller, request, createdAt }: RelayCall<ModelRequest>,
  deps: RelayDependencies,
): Price {
  const price = findPrice(
    deps.settings.current,
    request.model,
    caller.group,
    caller.user.acceptsUnpricedModels,
    createdAt,
  )
  if (price !== 'unpriced') {
    const { images } = request
    return images === undefined ? price : imagePrice(price, images, deps.settings.current.QuotaPerUnit)
  }
  throw new RelayError(
    'model_price_error',
    `The model ${request.model} has no price yet. Ask the administrator to set one, or to switch on self-use mode.`,
    { param: 'model' },
  )
}

/** Output tokens that are assumed for a call without a limit: a usual default of vendors. */
const longOutputTokens = 4096

/**
 * Reserves what the call may cost at the channel of its plan that costs most.
 * @throws RelayError when the balance cannot carry it
 * @step
 */
export function reserve(
  call: RelayCall,
  price: Price,
  routePlan: RoutePlan,
  deps: RelayDependencies,
): CallCharge | Promise<CallCharge> {
  const { request } = call
  const promptTokens = request.roughPromptTokens()
  const { candidates, ...limits } = worstCaseLimits(request, routePlan)
  const isSpoken = call.mode === 'speech' && pricesAudio(price)
  const maxOutputTokens = isSpoken ? spokenTokens(promptTokens) : limits.maxOutputTokens
  const requestedKinds = expectedKinds(request.native, request.prompt())
  const kinds: readonly TokenKind[] = isSpoken ? ['audioOutput'] : requestedKinds
  const assumed = deps.settings.current.PreConsumedQuota * candidates
  const costs = possibleCosts(request)
  const long = { promptTokens, maxOutputTokens: longOutputTokens * candidates, kinds, ...costs }
  const estimate = estimateOf({ promptTokens, maxOutputTokens, kinds, ...costs }, price, assumed)
  const unboundedEstimate = maxOutputTokens === undefined ? estimateOf(long, price, 0) : 0
  const size = { request, price, promptTokens, maxOutputTokens, kinds, ...costs, assumedTokens: assumed }
  const charged = (reservation: Reservation) => {
    const exposure = isCounted(price) ? new CallExposure(size, reservation, deps.charge) : undefined
    return new CallCharge(call, { price, promptTokens, costs, reservation, exposure }, deps.charge)
  }
  const reservation = hold(call, { estimate, unboundedEstimate }, deps)
  return reservation instanceof Promise ? reservation.then(charged) : charged(reservation)
}

/** Recognises prices that depend on counts of the upstream. */
function isCounted({ terms }: Price): boolean {
  return terms.kind === 'per-token'
}

/**
 * Holds an amount on the caller's accounts. At once, unless this node must ask for more of a balance first.
 * @throws RelayError when they cannot give it
 */
export function hold(
  { caller, request }: RelayCall<ModelRequest>,
  amounts: Pick<ReserveRequest, 'estimate' | 'unboundedEstimate'>,
  deps: RelayDependencies,
): Reservation | Promise<Reservation> {
  refuseClosed(deps)
  const { user, token } = caller
  const result = deps.ledger.reserveOrAcquire({ userId: user.id, token, model: request.model, ...amounts })
  const reservationOf = (reserved: ReserveResult) => {
    if (reserved.ok) return reserved.reservation
    throw refusalOf(reserved, deps)
  }
  return result instanceof Promise ? result.then(reservationOf) : reservationOf(result)
}

/** The error for a caller whose accounts cannot give what a call may cost. */
export function refusalOf(
  { refusal, balance, needed }: Extract<ReserveResult, { ok: false }>,
  { settings }: Pick<RelayDependencies, 'settings'>,
): RelayError {
  return refusals[refusal]({ balance, needed }, comparedTexts(balance, needed, settings.current))
}

/** @throws RelayError while changes of other nodes could be missed, or charges could not be recorded */
export function refuseClosed({ node }: Pick<RelayDependencies, 'node'>): void {
  if (!node.hears)
    throw new RelayError(
      'not_admitting',
      'This node of the gateway does not hear of changes that other nodes make, and takes no calls until it does. Try again shortly.',
    )
  if (!node.admits) throw journalFull()
}

interface Shortage {
  readonly balance: Quota
  readonly needed: Quota
}

function journalFull(): RelayError {
  return new RelayError(
    'not_admitting',
    'The gateway cannot record charges right now and takes no calls. Try again later.',
  )
}

type RefusalOf = (shortage: Shortage, texts: ReturnType<typeof comparedTexts>) => RelayError

const refusals: Readonly<Record<ReserveRefusal, RefusalOf>> = {
  'user-quota': ({ balance, needed }, texts) =>
    new RelayError(
      'insufficient_user_quota',
      `Insufficient quota: the balance of ${texts.smaller} is too low: this call may cost ${texts.larger}. Top up, or ask for less output.`,
      { messageParams: { balance, needed } },
    ),
  'token-quota': ({ balance, needed }, texts) =>
    new RelayError(
      'insufficient_token_quota',
      `Insufficient quota of this key: the ${texts.smaller} left is too low: this call may cost ${texts.larger}. Raise the key's quota.`,
      { messageParams: { balance, needed } },
    ),
  'journal-full': journalFull,
  'account-unknown': () =>
    new RelayError('database_unavailable', 'The balance cannot be checked right now. Try again shortly.'),
}

/** The limits that cost most of those that the channels of a plan may set. */
function worstCaseLimits(request: OutputLimits, { overrides }: RoutePlan): OutputLimits {
  let worstCase: OutputLimits = request
  for (const override of overrides) {
    const limits = limitsAfterOverride(request, override)
    const candidates = Math.max(worstCase.candidates, limits.candidates)
    const isUnlimited = worstCase.maxOutputTokens === undefined || limits.maxOutputTokens === undefined
    const maxOutputTokens = isUnlimited
      ? undefined
      : Math.max(worstCase.maxOutputTokens ?? 0, limits.maxOutputTokens ?? 0)
    worstCase = { maxOutputTokens, candidates }
  }
  return worstCase
}
