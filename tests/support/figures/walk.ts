import { queryOf } from '../../../apps/web/src/features/logs/log-filter.ts'
import type { Feeds, Figure, LogLink } from '../../../apps/web/src/lib/figures/figure.ts'
import { figures } from '../../../apps/web/src/lib/figures/figures.ts'
import { clockHere } from '../../../apps/web/src/lib/format/reader-clock.ts'
import { calls, type GroupRow, marginKinds } from '../../../packages/api/src/index.ts'
import type { Operator } from '../operator.ts'

/** Somebody who reads figures, and the users and keys whose figures they look at. */
export interface Reader {
  readonly person: Pick<Operator, 'api'>
  readonly isAdministrator: boolean
  readonly users: readonly { readonly id: number; readonly name: string }[]
  readonly keys: readonly number[]
  /** Feeds that an administrator's parts do not have. */
  readonly without?: readonly (keyof Feeds)[]
}

/** One figure with what its link lists. */
export interface WalkedFigure {
  readonly name: string
  readonly page: string
  readonly link: LogLink
  readonly value: number
  readonly listed: number
}

type Name = keyof typeof figures
type Read = { readonly [Feed in keyof Feeds]: () => Promise<readonly Feeds[Feed][]> }

/** Reads every figure of the console that a person sees, and what the log lists under the figure's link. */
export async function walkFigures(reader: Reader): Promise<readonly WalkedFigure[]> {
  const walked: WalkedFigure[] = []
  const visible = Object.entries(figures).filter(
    ([, { readers, feed }]) =>
      (reader.isAdministrator || readers === 'everybody') && !reader.without?.includes(feed),
  )
  const read = feedsOf(reader)
  for (const [name, figure] of visible) {
    // Each figure takes the data of its own feed.
    const own = figure as Figure<keyof Feeds, unknown>
    for (const data of await read[own.feed]())
      for (const item of own.items(data)) {
        const { value, link } = own.of(item, data)
        if (link === undefined) continue
        const listed = await listedUnder(reader, link, own.measure)
        walked.push({ name: name as Name, page: own.page, link, value, listed })
      }
  }
  return walked
}

/** A count of a group's members, with what the list has that it leads to. */
export interface WalkedCount {
  readonly group: string
  readonly of: 'users' | 'channels'
  readonly value: number
  readonly listed: number
}

/** Reads the counts of the page of groups, and the lists under their links. */
export async function walkGroupCounts(person: Pick<Operator, 'api'>): Promise<readonly WalkedCount[]> {
  const rows = await person.api<readonly GroupRow[]>('GET', calls.groups.overview.path)
  const walked: WalkedCount[] = []
  for (const { name: group, users, channels } of rows) {
    const query = new URLSearchParams({ group })
    const { total } = await person.api<{ total: number }>('GET', `/api/user/?p=1&page_size=1&${query}`)
    const listed = await person.api<readonly unknown[]>('GET', `/api/channel/?p=0&page_size=100&${query}`)
    walked.push({ group, of: 'users', value: users, listed: total })
    walked.push({ group, of: 'channels', value: channels, listed: listed.length })
  }
  return walked
}

async function listedUnder({ person, isAdministrator }: Reader, link: LogLink, measure: 'rows' | 'quota') {
  const root = isAdministrator ? '/api/log/' : '/api/log/self'
  const query = textOf({ ...queryOf(link, new Date(), isAdministrator) })
  if (measure === 'rows') return (await person.api<{ total: number }>('GET', `${root}?p=1&${query}`)).total
  const stat = isAdministrator ? `${root}stat` : `${root}/stat`
  return (await person.api<{ quota: number }>('GET', `${stat}?${query}`)).quota
}

function textOf(query: object): string {
  return new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString()
}

const hour = 3600

function feedsOf({ person, isAdministrator, users, keys }: Reader): Read {
  const to = Math.floor(Date.now() / 1000)
  const range = { from: to - (to % hour) - 24 * hour, to }
  const own = (path: string, ofAll: string) => (isAdministrator ? ofAll : path)
  const times = { start_timestamp: range.from, end_timestamp: range.to, ...clockHere() }
  const get = <Data>(path: string, query: object = {}) =>
    person.api<Data>('GET', `${path}?${textOf({ ...clockHere(), ...query })}`)
  return {
    summary: async () => [await get(own('/api/data/self/summary', '/api/data/summary'))],
    usage: async () => [
      {
        ...range,
        rows: await get(own('/api/data/self', '/api/data/'), { ...times, granularity: 'hour' }),
        granularity: 'hour',
      },
    ],
    recent: async () => [
      { ...range, histogram: await get(own('/api/log/self/histogram', '/api/log/histogram'), times) },
    ],
    spend: async () => [{ ...range, table: await get('/api/data/spend', times) }],
    margin: () =>
      Promise.all(
        marginKinds.map(async (by) => {
          const { rows } = await get<Pick<Feeds['margin'], 'rows'>>('/api/data/margin', { ...times, by })
          return { ...range, by, rows }
        }),
      ),
    groups: async () => (isAdministrator ? [await get('/api/group/usage')] : []),
    ended: async () => [
      ...(await Promise.all(
        users.map(async ({ id, name }) => {
          const { calls } = await get<Pick<Feeds['ended'], 'calls'>>(`/api/user/${id}/activity`)
          return { calls, user: name }
        }),
      )),
      ...(await Promise.all(
        keys.map(async (key) => ({
          calls: await get<Feeds['ended']['calls']>(`/api/token/${key}/calls`),
          key,
        })),
      )),
    ],
  }
}
