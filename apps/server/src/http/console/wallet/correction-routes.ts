import { type CorrectionRow, calls, correctionSelection } from '@tollgate/api'
import type { Corrections } from '../../../billing/corrections/corrections.ts'
import type { Correction } from '../../../store/money/corrections.ts'
import { type ConsoleRoute, pageResult, pageWindow, route } from '../route.ts'

/** Corrections of charges, for root. */
export function correctionRoutes({ corrections }: { readonly corrections: Corrections }): ConsoleRoute[] {
  return [
    route(calls.corrections.list, async ({ query }) =>
      pageResult(query, await corrections.page(pageWindow(query)), toWire),
    ),
    route(calls.corrections.preview, ({ body }) => corrections.preview(body)),
    route(calls.corrections.progress, () => corrections.progress()),
    route(calls.corrections.apply, async ({ body }, { actor }) =>
      toWire(await corrections.apply(actor, body)),
    ),
    route(calls.corrections.takeBack, async ({ params, body }, { actor }) =>
      toWire(await corrections.takeBack(actor, params.id, body.reason)),
    ),
  ]
}

function toWire(correction: Correction): CorrectionRow {
  return {
    id: correction.id,
    created_at: correction.createdAt,
    actor_name: correction.actorName,
    reason: correction.reason,
    selection: correctionSelection.parse(correction.selection),
    state: correction.state,
    calls: correction.calls,
    users: correction.users,
    amount: correction.amount,
    taken_back_at: correction.takenBackAt,
    taken_back_by: correction.takenBackBy,
    taken_back_reason: correction.takenBackReason,
  }
}
