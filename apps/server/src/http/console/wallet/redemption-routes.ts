import {
  calls,
  nameOf,
  type RedemptionQuery,
  redemptionResource,
  redemptionStatuses,
  type WireRedemption,
} from '@tollgate/api'
import type { RedemptionOrder } from '../../../store/money/redemptions.ts'
import type { ManageCodes, RevealedCode } from '../../../wallet/redemptions/manage-codes.ts'
import { switchLeft } from '../ignored/switch-left.ts'
import { bulkResult, type ConsoleRoute, pageResult, pageWindow, route } from '../route.ts'

export function redemptionRoutes({ codes }: { readonly codes: ManageCodes }): ConsoleRoute[] {
  const page = async (query: RedemptionQuery) => {
    const { keyword, sort, order } = query
    // An unknown status filters nothing.
    const status = query.status === undefined ? undefined : nameOf(redemptionStatuses, query.status)
    const found = await codes.page(
      { status, keyword },
      {
        by: redemptionResource.sortField(sort) as RedemptionOrder['by'],
        descending: order === 'desc',
      },
      pageWindow(query),
    )
    return pageResult(query, found, toWire)
  }
  return [
    route(calls.redemptions.list, ({ query }) => page(query)),
    route(calls.redemptions.search, ({ query }) => page(query)),
    route(calls.redemptions.get, async ({ params }) => toWire(await codes.get(params.id))),
    route(calls.redemptions.create, ({ body }, { actor }) => codes.create(actor, body)),
    route(calls.redemptions.update, async ({ query, body }, { actor, warn }) => {
      if (query.status_only) return toWire(await codes.setStatus(actor, body.id, body.status))
      const updated = toWire(await codes.update(actor, body))
      warn('unchanged', switchLeft(body, updated))
      return updated
    }),
    route(calls.redemptions.delete, ({ params }, { actor }) => codes.delete(actor, params.id)),
    route(calls.redemptions.bulk, async ({ body }, { actor, language }) =>
      bulkResult(await codes.changeMany(actor, body.ids, body.action), language),
    ),
  ]
}

function toWire(code: RevealedCode): WireRedemption {
  return { ...redemptionResource.toWire(code), count: 0, DeletedAt: null }
}
