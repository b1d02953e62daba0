import { z } from 'zod'
import { defineCall } from '../../call.ts'
import { emptyData, idParams, queryText, unixSeconds } from '../../wire.ts'

/** How far a run over many channels is, or how the last one ended. */
export const channelRun = z.object({
  running: z.boolean(),
  /** 0 before the first run of this process. */
  total: z.number().int(),
  done: z.number().int(),
  failed: z.number().int(),
  cancelled: z.boolean(),
  /** 0 before the first run, and while one is running for `finished_at`. */
  started_at: unixSeconds,
  finished_at: unixSeconds,
  /** Name of the person, `system` for a scheduled run. */
  started_by: z.string(),
})
export type ChannelRun = z.output<typeof channelRun>

/** Tests and balances, of one channel and of all. */
export const channelRunCalls = {
  /** `time` is seconds, also on failure. */
  test: defineCall({
    method: 'GET',
    path: '/api/channel/test/:id',
    access: 'admin',
    params: idParams,
    query: z.object({ model: queryText }),
    data: emptyData,
    extra: z.object({ time: z.number() }),
  }),
  /** Starts a run over all enabled channels and answers at once. */
  testAll: defineCall({ method: 'GET', path: '/api/channel/test', access: 'admin', data: emptyData }),
  testProgress: defineCall({
    method: 'GET',
    path: '/api/channel/test/progress',
    access: 'admin',
    data: channelRun,
  }),
  /** Ends a run; answers how far it came. Does nothing when none is under way. */
  cancelTest: defineCall({ method: 'DELETE', path: '/api/channel/test', access: 'admin', data: channelRun }),
  updateBalance: defineCall({
    method: 'GET',
    path: '/api/channel/update_balance/:id',
    access: 'admin',
    params: idParams,
    data: emptyData,
    /** In the currency of the upstream's own account. */
    extra: z.object({ balance: z.number() }),
  }),
  /** Starts a run over all enabled channels whose type has a balance, and answers at once. */
  updateAllBalances: defineCall({
    method: 'GET',
    path: '/api/channel/update_balance',
    access: 'admin',
    data: emptyData,
  }),
  balanceProgress: defineCall({
    method: 'GET',
    path: '/api/channel/update_balance/progress',
    access: 'admin',
    data: channelRun,
  }),
  cancelBalances: defineCall({
    method: 'DELETE',
    path: '/api/channel/update_balance',
    access: 'admin',
    data: channelRun,
  }),
}
