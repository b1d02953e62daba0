import { z } from 'zod'
import { defineCall } from '../call.ts'
import { emptyData, unixSeconds } from '../wire.ts'

/** One browser that is logged in. */
export const session = z.object({
  /** Names the session and opens nothing. */
  id: z.string(),
  /** The one that asks. */
  current: z.boolean(),
  user_agent: z.string(),
  /** Where it was opened from. */
  address: z.string(),
  created_at: unixSeconds,
  /** Exact to some minutes. */
  last_seen_at: unixSeconds,
  expires_at: unixSeconds,
})
export type Session = z.output<typeof session>

const own = { access: 'user', sessionOnly: true } as const

export const sessions = {
  /** Last seen first; at most 100. */
  list: defineCall({ ...own, method: 'GET', path: '/api/user/self/sessions', data: z.array(session) }),
  end: defineCall({
    ...own,
    method: 'DELETE',
    path: '/api/user/self/sessions/:id',
    params: z.object({ id: z.string().regex(/^[0-9a-f]{16}$/) }),
    data: emptyData,
  }),
  /** All but the one that asks. `data` is how many there were. */
  endOthers: defineCall({
    ...own,
    method: 'DELETE',
    path: '/api/user/self/sessions',
    data: z.number().int(),
  }),
}
