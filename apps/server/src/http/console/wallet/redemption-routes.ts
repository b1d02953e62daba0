import {
  calls,
  nameOf,
  type RedemptionQuery,
  type RedemptionSort,
  redemptionStatuses,
  type WireRedemption,
} from '@tollgate/api'
import type { ManageCodes, RevealedCode } from '../../../redemptions/manage-codes.ts'
import type { RedemptionFilter, RedemptionOrder } from '../../../store/redemption-repository.ts'
import { bulkResult, pageResult, pageWindow } from '../results.ts'
import { type ConsoleRoute, route } from '../route.ts'

export function redemptionRoutes({ codes }: { readonly codes: ManageCodes }): ConsoleRoute[] {
  const page = async (query: RedemptionQuery) => {
    return pageResult(query, await codes.page(filterOf(query), orderOf(query), pageWindow(query)), toWire)
  }
  return [
    route(calls.redemptions.list, ({ query }) => page(query)),
    route(calls.redemptions.search, ({ query }) => page(query)),
    route(calls.redemptions.get, async ({ params }) => toWire(await codes.get(params.id))),
    route(calls.redemptions.create, ({ body }, { actor }) => codes.create(actor, body)),
    route(calls.redemptions.update, async ({ query, body }, { actor }) =>
      toWire(
        query.status_only
          ? await codes.setStatus(actor, body.id, body.status)
          : await codes.update(actor, body),
      ),
    ),
    route(calls.redemptions.delete, async ({ params }, { actor }) => {
      await codes.delete(actor, params.id)
    }),
    route(calls.redemptions.bulk, async ({ body }, { actor, language }) => {
      return bulkResult(await codes.actOnMany(actor, body.ids, body.action), language)
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
