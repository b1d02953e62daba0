import {
  calls,
  type Language,
  nameOf,
  type RedemptionQuery,
  type RedemptionSort,
  type RowOutcome,
  redemptionStatuses,
  type WireRedemption,
} from '@tollgate/api'
import type { CodeOutcome, ManageCodes, RevealedCode } from '../../../redemptions/manage-codes.ts'
import type { RedemptionFilter, RedemptionOrder } from '../../../store/repositories/redemptions.ts'
import { pageWindow } from '../page-window.ts'
import { type ConsoleRoute, route } from '../route.ts'

export function redemptionRoutes({ codes }: { readonly codes: ManageCodes }): ConsoleRoute[] {
  const page = async (query: RedemptionQuery) => {
    const { p, page_size } = query
    const { rows, total } = await codes.page(filterOf(query), orderOf(query), pageWindow(query))
    return { data: { items: rows.map(toWire), total, page: p, page_size } }
  }
  return [
    route(calls.redemptions.list, ({ query }) => page(query)),
    route(calls.redemptions.search, ({ query }) => page(query)),
    route(calls.redemptions.get, async ({ params }) => ({ data: toWire(await codes.get(params.id)) })),
    route(calls.redemptions.create, async ({ body }, { actor }) => ({
      data: await codes.create(actor, body),
    })),
    route(calls.redemptions.update, async ({ query, body }, { actor }) => ({
      data: toWire(
        query.status_only
          ? await codes.setStatus(actor, body.id, body.status)
          : await codes.update(actor, body),
      ),
    })),
    route(calls.redemptions.delete, async ({ params }, { actor }) => {
      await codes.delete(actor, params.id)
      return { data: undefined }
    }),
    route(calls.redemptions.bulk, async ({ body }, { actor, language }) => {
      const outcomes = await codes.actOnMany(actor, body.ids, body.action)
      const done = outcomes.filter(({ refusal }) => refusal === undefined)
      return { data: done.length, extra: { outcomes: outcomes.map((each) => toOutcome(each, language)) } }
    }),
  ]
}

/** A status that does not exist filters nothing, as other filters that say nothing. */
function filterOf({ status, keyword }: RedemptionQuery): RedemptionFilter {
  const known = status === undefined ? undefined : nameOf(redemptionStatuses, status)
  return { ...(known !== undefined && { status: known }), ...(keyword !== undefined && { keyword }) }
}

const sortFields = {
  id: 'id',
  name: 'name',
  quota: 'quota',
  redeemed_time: 'redeemedAt',
} as const satisfies Record<RedemptionSort, RedemptionOrder['by']>

function orderOf({ sort, order }: RedemptionQuery): RedemptionOrder {
  return { by: sortFields[sort], descending: order === 'desc' }
}

function toOutcome({ id, refusal }: CodeOutcome, language: Language): RowOutcome {
  if (refusal === undefined) return { id, success: true, message: '' }
  return { id, success: false, message: refusal.publicMessage(language), code: refusal.code }
}

function toWire(code: RevealedCode): WireRedemption {
  return {
    id: code.id,
    user_id: code.creatorId,
    key: code.key,
    status: redemptionStatuses[code.status],
    name: code.name,
    quota: code.quota,
    created_time: code.createdAt,
    redeemed_time: code.redeemedAt ?? 0,
    count: 0,
    used_user_id: code.usedUserId ?? 0,
    used_username: code.usedUsername,
    DeletedAt: null,
  }
}
