import { casesOf, type Kind } from '../kind.ts'

/** The log, of which no row is so old. */
export const logs: Kind<undefined> = {
  rows: 'logs',
  isGlobal: true,
  create: async () => undefined,
  async read({ rows }) {
    const old = await rows.select('select count(*) as old from logs where created_at < 1000')
    const [lease] = await rows.select(`select expires_ms from leases where name = 'log-clearing'`)
    return JSON.stringify([Number(old[0]?.['old']), Number(lease?.['expires_ms'] ?? 0)])
  },
  cases: [
    ...casesOf<undefined>('logs.clear', { clear: () => ({ query: '?target_timestamp=1000' }) }),
    ...casesOf<undefined>('logs.cancelClear', { cancel: () => ({}) }),
  ],
}
