import { manyUsersChange } from '@tollgate/api'
import { z } from 'zod'
import type { AuditRecord } from '../../../store/log/audit-log.ts'
import type { ManyState, PlannedUser } from './many-users-plan.ts'

/** Ids of users by one state that they had. */
const recordedStates = z.array(
  z.object({
    state: z.object({
      group: z.string().optional(),
      requests_per_minute: z.number().optional(),
      tokens_per_minute: z.number().optional(),
      concurrency: z.number().optional(),
    }),
    ids: z.array(z.number().int()),
  }),
)
type RecordedStates = z.output<typeof recordedStates>

/** States of before for the record: few states, of many users each. Of a balance nothing, since calls move it. */
export function previousOf(changed: readonly PlannedUser[]): RecordedStates {
  return grouped(changed.map(({ user, before: { quota: _quota, ...state } }) => ({ id: user.id, state })))
}

/** States of after. */
export function statesOf(changed: readonly PlannedUser[]): RecordedStates {
  return grouped(changed.map(({ user, after: { quota: _quota, ...state } }) => ({ id: user.id, state })))
}

function grouped(
  users: readonly { readonly id: number; readonly state: ManyState }[],
): { state: ManyState; ids: number[] }[] {
  const byState = new Map<string, { state: ManyState; ids: number[] }>()
  for (const { id, state } of users) {
    const key = JSON.stringify(state)
    const known = byState.get(key)
    if (known === undefined) byState.set(key, { state, ids: [id] })
    else known.ids.push(id)
  }
  return [...byState.values()]
}

const recordedBefore = z.object({ previous: recordedStates })
const recordedAfter = z.object({ change: manyUsersChange })

/** Reads a record back: the change, and the states before it. */
export function recordedChange({ before, after }: AuditRecord) {
  return { ...recordedBefore.parse(JSON.parse(before)), ...recordedAfter.parse(JSON.parse(after)) }
}
