import type { CorrectionSelection } from '@tollgate/api'
import { Refusal } from '../../lib/refusal.ts'
import type { LogFilter } from '../../store/log/index/log-row.ts'
import type { Store } from '../../store/store.ts'
import type { Seconds } from '../../store/units.ts'
import type { Terms } from './right-terms.ts'

/** Calls to charge again, and the terms for it. */
export interface Selected {
  /** One for each user that had the name. */
  readonly filters: readonly LogFilter[]
  readonly terms: Terms
}

/** @throws Refusal for a selection of no call, of calls to come, and of a price for no model */
export async function select(
  { users }: { readonly users: Pick<Store['users'], 'idsByUsername'> },
  {
    model_name: model,
    channel,
    group,
    username,
    from,
    to,
    price,
    group_ratio: groupRatio,
  }: CorrectionSelection,
  now: Seconds,
): Promise<Selected> {
  if (from > to) throw new Refusal('correction_span_empty')
  if (to >= now) throw new Refusal('correction_span_open')
  if (price !== undefined && model === undefined) throw new Refusal('correction_price_without_model')
  const filter: LogFilter = {
    type: 'consumption',
    from,
    to,
    ...(model !== undefined && { model }),
    ...(channel !== undefined && { channelId: channel }),
    ...(group !== undefined && { group }),
  }
  const terms = { groupRatio, price: price && model !== undefined ? { model, amounts: price } : undefined }
  if (username === undefined) return { filters: [filter], terms }
  const ids = await users.idsByUsername(username)
  if (ids.length === 0) throw new Refusal('user_unknown')
  return { filters: ids.map((userId) => ({ ...filter, userId })), terms }
}
