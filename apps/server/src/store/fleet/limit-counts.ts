import { sql } from 'kysely'
import type { Connection } from '../database.ts'

/** A request for a slice of a limit; see `gateway/relay/limits/slice-store.ts`. */
interface LimitRequest {
  readonly key: string
  readonly windowMs?: number
  readonly limit: number
  readonly need: number
  readonly wish: number
  readonly corrections: readonly { readonly window: number; readonly amount: number }[]
  readonly held?: number
  readonly atLeast?: Pick<GrantedSlice, 'window' | 'current' | 'previous'>
}

interface GrantedSlice {
  readonly granted: number
  readonly window: number
  readonly current: number
  readonly previous: number
  readonly passedMs: number
}

export function createLimitCountRepository({ db }: Connection) {
  return {
    /** Grants slices of limits, in the order of the requests, which must be that of their keys. PostgreSQL only. */
    async exchange(node: string, requests: readonly LimitRequest[]): Promise<readonly GrantedSlice[]> {
      const { rows } = await sql<{ slices: readonly GrantedSlice[] }>`
        select take_limits(${node}, ${JSON.stringify(requests)}::jsonb) as slices`.execute(db)
      return rows[0]?.slices ?? []
    },
    /** Deletes counts that are out of view. */
    async deleteExpired(): Promise<void> {
      await sql`delete from limit_windows where expires_at < clock_timestamp()`.execute(db)
      await sql`delete from limit_slots where seen_at < clock_timestamp() - interval '1 minute'`.execute(db)
    },
  }
}

export type LimitCountRepository = ReturnType<typeof createLimitCountRepository>
