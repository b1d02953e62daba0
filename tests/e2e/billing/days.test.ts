import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { createLogger } from '../../../apps/server/src/lib/logger.ts'
import { countedSteps } from '../../../apps/server/src/store/channels/read-attempt-counts.ts'
import { flushOf, settlement } from '../../../apps/server/src/store/contract/samples.ts'
import { openStore } from '../../../apps/server/src/store/engine/open/open-store.ts'
import { sum, takeOverAll } from '../../../apps/server/src/store/log/contract/log-samples.ts'
import type { CountedKind } from '../../../apps/server/src/store/log/quarters/counted-kinds.ts'
import { hourSeconds, quarterSeconds } from '../../../packages/api/src/calendar.ts'
import { contractCalls } from '../../../packages/api/src/test-support/call-of.ts'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { openConsole } from '../../support/browser.ts'
import { hasChromium } from '../../support/chromium.ts'
import { createClock } from '../../support/clock.ts'
import { consoleWithoutLimits } from '../../support/console/surroundings.ts'
import { logIn, type Operator, operate, rootAccount } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { until } from '../../support/until.ts'

setDefaultTimeout(deadline(60_000))

const zones = [
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Adelaide',
  'America/St_Johns',
  'America/New_York',
  'UTC',
] as const
/** The nights on which clocks change in some of them: in the north in March and November, in the south in April and October. */
const changes = ['2026-03-08', '2026-04-05', '2026-10-04', '2026-11-01'] as const
const dayMs = 86_400_000

interface Call {
  readonly createdAt: number
  readonly quota: number
  readonly failed: boolean
}

/** Calls around each quarter of nine days with each change, always the same. */
const made: readonly Call[] = changes.flatMap((change) => {
  const start = (Date.parse(change) - 7 * dayMs) / 1000
  return Array.from({ length: 457 }, (_, index) => ({
    createdAt: start + index * 1700 + ((index * 7919) % 1700),
    quota: 1 + ((index * 31) % 500),
    failed: index % 11 === 0,
  }))
})
const charged = made.filter(({ failed }) => !failed)
const failed = made.filter((call) => call.failed)

const formats = new Map<string, Intl.DateTimeFormat>(
  zones.map((timeZone) => [timeZone, new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' })]),
)
/** The date of a moment, read in another way than the program reads it. */
const dateIn = (zone: string, at: number) => formats.get(zone)?.format(at * 1000) ?? ''
const daysLater = (date: string, days: number) =>
  new Date(Date.parse(date) + days * dayMs).toISOString().slice(0, 10)

/** The first second of a date by a zone's clock. */
function startOf(date: string, zone: string): number {
  let [low, high] = [Date.parse(date) / 1000 - 86_400, Date.parse(date) / 1000 + 86_400]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (dateIn(zone, middle) >= date) high = middle
    else low = middle + 1
  }
  return low
}

const clock = createClock()
let gateway: Tollgate
let key = { id: 0, key: '' }

/** The gateway has this time from now on: nobody asks before it has seen the jump. */
async function setClock(at: number): Promise<void> {
  clock.set(at)
  await until(async () => {
    const { headers } = await fetch(`${gateway.url}/api/status`)
    const apartMs = Math.abs(Date.parse(headers.get('date') ?? '') - at * 1000)
    return apartMs < 30_000 ? true : undefined
  })
}

beforeAll(async () => {
  clock.set(Date.parse('2026-02-01') / 1000)
  gateway = await startTollgate({ env: { ...consoleWithoutLimits, ...clock.env } })
  const root = await operate(gateway.url)
  key = await root.addKey()
  await gateway.kill()
  await fill(root.userId)
  await gateway.start()
})
afterAll(async () => {
  await gateway?.stop()
  clock.remove()
})

/** Writes these calls as a gateway does, through the store. */
async function fill(userId: number): Promise<void> {
  const store = await openStore({ dataDir: gateway.dataDir, logger: createLogger('silent') })
  const own = { userId, tokenId: key.id, channelId: 9 }
  await store.ledger.flush(
    flushOf(
      'days',
      0,
      charged.map((call, index) => settlement(index + 1, { ...call, ...own })),
    ),
  )
  await store.usage.append(
    failed.map((call) => ({ ...settlement(1), ...call, ...own, type: 'error', quota: 0 })),
  )
  await store.attemptCounts.add(
    (['channel', 'calls', 'user-calls', 'token-calls'] as const).flatMap((kind) =>
      attemptsOf(kind, { channel: 9, calls: 0, 'user-calls': userId, 'token-calls': key.id }[kind]),
    ),
  )
  await takeOverAll(store)
  await store.close()
}

function attemptsOf(kind: CountedKind, id: number) {
  const quarters = Map.groupBy(charged, ({ createdAt }) => createdAt - (createdAt % quarterSeconds))
  const model = kind === 'token-calls' ? '' : 'gpt-4o'
  const rest = { step: countedSteps.hour, kind, id, model, outcome: 'ok', ms: 0 } as const
  return [...quarters].map(([startsAt, calls]) => ({ ...rest, startsAt, count: calls.length }))
}

/** One day by a zone's clock, a few minutes after its beginning. */
interface Scene {
  readonly root: Operator
  readonly zone: string
  readonly date: string
  readonly start: number
  readonly end: number
}
/** Asks for figures, which are those of some rows. */
type Door = (scene: Scene) => Promise<readonly [found: unknown, expected: unknown]>

const within = (calls: readonly Call[], { start, end }: Scene) =>
  calls.filter(({ createdAt }) => createdAt >= start && createdAt < end)
const totalOf = (calls: readonly Call[]) => [calls.length, sum(calls, ({ quota }) => quota)]
const clockOf = ({ zone }: Scene) => `time_zone=${encodeURIComponent(zone)}`
const timesOf = ({ start, end }: Scene) => `start_timestamp=${start}&end_timestamp=${end - 1}`

/** Figures of the day between its first second and its last. */
function ofRange<Data>(
  path: string,
  read: (data: Data) => unknown,
  rows: (scene: Scene) => unknown = (scene) => totalOf(within(charged, scene)),
): Door {
  return async (scene) => {
    const requested = `${path}${path.includes('?') ? '&' : '?'}${timesOf(scene)}&${clockOf(scene)}`
    return [read(await scene.root.api<Data>('GET', requested)), rows(scene)]
  }
}

interface Totals {
  readonly count: number
  readonly quota: number
  readonly errors: number
}
interface Attempts {
  readonly today: { readonly ok: number }
  readonly week: { readonly ok: number }
}
interface Summary {
  readonly today: Totals
  readonly week: Totals
  readonly calls: Attempts
}

const since = (calls: readonly Call[], zone: string, date: string) =>
  calls.filter(({ createdAt }) => dateIn(zone, createdAt) >= date)

function ofToday(path: string): Door {
  return async (scene) => {
    const { today, week, calls: ended } = await scene.root.api<Summary>('GET', `${path}?${clockOf(scene)}`)
    const { zone, date } = scene
    const [ofDay, ofWeek] = [date, daysLater(date, -6)].map((from) => since(charged, zone, from))
    return [
      [today.count, today.quota, week.count, week.quota, today.errors, ended.today.ok, ended.week.ok],
      [
        ...totalOf(ofDay ?? []),
        ...totalOf(ofWeek ?? []),
        since(failed, zone, date).length,
        ofDay?.length,
        ofWeek?.length,
      ],
    ]
  }
}

function chart(path: string): readonly Door[] {
  type Rows = readonly { readonly created_at: number; readonly count: number; readonly quota: number }[]
  return [
    ofRange<Rows>(
      `${path}?granularity=day`,
      (rows) => rows.map(({ created_at, count, quota }) => [created_at, count, quota]),
      (scene) => [[scene.start, ...totalOf(within(charged, scene))]],
    ),
    ofRange<Rows>(`${path}?granularity=hour`, (rows) => [
      sum(rows, ({ count }) => count),
      sum(rows, ({ quota }) => quota),
    ]),
  ]
}

interface Steps {
  readonly steps: readonly { readonly at: number; readonly calls: number; readonly errors: number }[]
}
const histogram = (path: string) =>
  ofRange<Steps>(
    path,
    ({ steps }) => [steps[0]?.at, sum(steps, ({ calls }) => calls), sum(steps, ({ errors }) => errors)],
    (scene) => [scene.start, within(charged, scene).length, within(failed, scene).length],
  )
const failures = (path: string) =>
  ofRange<{ readonly total: number }>(
    path,
    ({ total }) => total,
    (scene) => within(failed, scene).length,
  )
const list = (path: string) =>
  ofRange<{ readonly total: number }>(
    `${path}?p=1&page_size=10&type=2`,
    ({ total }) => total,
    (scene) => within(charged, scene).length,
  )
const quotaOf = (scene: Scene) => sum(within(charged, scene), ({ quota }) => quota)
const stat = (path: string) => ofRange<{ readonly quota: number }>(path, ({ quota }) => quota, quotaOf)

const ranked = (path: string) =>
  ofRange<{ readonly items: readonly { readonly quota: number }[] }>(
    `${path}?by=quota&size=100`,
    ({ items }) => [items.length, sum(items, ({ quota }) => quota)],
  )

interface Books {
  readonly charges: { readonly calls: number; readonly amount: number }
}
/** The charges of the month in which the day is. */
function ofMonth(path: (scene: Scene) => string): Door {
  return async (scene) => {
    const month = scene.date.slice(0, 7)
    const { charges } = await scene.root.api<Books>('GET', `${path(scene)}&month=${month}&${clockOf(scene)}`)
    const inMonth = charged.filter(({ createdAt }) => dateIn(scene.zone, createdAt).startsWith(month))
    return [[charges.calls, charges.amount], totalOf(inMonth)]
  }
}

async function lines(scene: Scene, path: string): Promise<readonly (readonly string[])[]> {
  const { cookie, userId } = scene.root
  const reply = await fetch(`${gateway.url}${path}?${timesOf(scene)}&${clockOf(scene)}`, {
    headers: { cookie, 'New-Api-User': String(userId) },
  })
  const [, ...rows] = (await reply.text()).trimEnd().split('\r\n')
  return rows.map((row) => row.split(','))
}
/** The rows of the day, each with its date by the reader's clock. */
const written =
  (path: string): Door =>
  async (scene) => {
    const dates = (await lines(scene, path)).map(([, at = '']) => at.slice(0, 10))
    return [dates, within(made, scene).map(() => scene.date)]
  }

/** Every call that gives days, or figures between two moments, by its name. */
const doors: Readonly<Record<string, readonly Door[]>> = {
  'usageData.summary': [ofToday('/api/data/summary')],
  'usageData.summarySelf': [ofToday('/api/data/self/summary')],
  'usageData.list': chart('/api/data/'),
  'usageData.listSelf': chart('/api/data/self'),
  'usageData.spend': [
    ofRange<{ readonly total: Totals }>('/api/data/spend?p=1&page_size=10', ({ total }) => [
      total.count,
      total.quota,
    ]),
  ],
  'usageData.exportSpend': [
    async (scene) => {
      const rows = await lines(scene, '/api/data/spend/export')
      return [sum(rows, (row) => Number(row[3])), within(charged, scene).length]
    },
  ],
  'margins.list': ['model', 'channel', 'user'].map((by) =>
    ofRange<{ readonly total: { readonly calls: number; readonly quota: number } }>(
      `/api/data/margin?by=${by}`,
      ({ total }) => [total.calls, total.quota],
    ),
  ),
  'logs.list': [list('/api/log/')],
  'logs.listSelf': [list('/api/log/self')],
  'logs.listOfKey': [
    async (scene) => {
      const path = `/api/log/token?key=${key.key}&p=1&page_size=100&type=2&${timesOf(scene)}`
      const { total } = (await (await fetch(gateway.url + path)).json()) as { readonly total: number }
      return [total, within(charged, scene).length]
    },
  ],
  'logs.stat': [stat('/api/log/stat')],
  'logs.statSelf': [stat('/api/log/self/stat')],
  'logs.histogram': [histogram('/api/log/histogram')],
  'logs.histogramSelf': [histogram('/api/log/self/histogram')],
  'logs.failures': [failures('/api/log/failures')],
  'logs.failuresSelf': [failures('/api/log/self/failures')],
  'logs.top': [ranked('/api/log/top')],
  'logs.topSelf': [ranked('/api/log/self/top')],
  'statements.self': [ofMonth(() => '/api/statement/self?p=1')],
  'statements.get': [
    ofMonth(({ root }) => `/api/statement/?kind=user&id=${root.userId}`),
    ofMonth(() => `/api/statement/?kind=token&id=${key.id}`),
  ],
  'logs.export': [written('/api/log/export')],
  'logs.exportSelf': [written('/api/log/self/export')],
  'userAdmin.activity': [
    async (scene) => {
      const { zone, date, root } = scene
      const path = `/api/user/${root.userId}/activity?${clockOf(scene)}`
      const { days, calls: ended } = await root.api<{
        days: { at: number; count: number }[]
        calls: Attempts
      }>('GET', path)
      // The last is the day that has just begun.
      const whole = days.filter(({ at }) => dateIn(zone, at) !== date)
      const month = since(charged, zone, daysLater(date, -29))
      return [
        [whole.map(({ at, count }) => [dateIn(zone, at), count]), ended.today.ok],
        [
          [...Map.groupBy(month, ({ createdAt }) => dateIn(zone, createdAt))]
            .filter(([of]) => of < date)
            .map(([of, calls]) => [of, calls.length]),
          since(charged, zone, date).length,
        ],
      ]
    },
  ],
  'keys.get': [
    async (scene) => {
      const { zone, date, start, root } = scene
      const path = `/api/key/${key.id}?${clockOf(scene)}`
      const { quota_today, quota_month } = await root.api<Record<string, number>>('GET', path)
      const past = charged.filter(({ createdAt }) => createdAt < start + quarterSeconds)
      const quotaSince = (from: string) => sum(since(past, zone, from), ({ quota }) => quota)
      return [[quota_today, quota_month], [date, daysLater(date, -29)].map(quotaSince)]
    },
  ],
  'tokens.calls': [
    async (scene) => {
      const path = `/api/token/${key.id}/calls?${clockOf(scene)}`
      const { today, week } = await scene.root.api<Attempts>('GET', path)
      const { zone, date } = scene
      return [
        [today.ok, week.ok],
        [date, daysLater(date, -6)].map((from) => since(charged, zone, from).length),
      ]
    },
  ],
}

/** Calls that select rows of other kinds between two moments, to the second: none sums them up by time. */
const bySecond = [
  'auditLog.list',
  'drawings.list',
  'drawings.listSelf',
  'securityEvents.export',
  'securityEvents.list',
  'tasks.list',
  'tasks.listSelf',
  'topUpOrders.export',
  'topUpOrders.list',
  'topUpOrders.sums',
]

/** Files and answers with the figures of another door. */
const sameFigures = ['statements.export', 'statements.exportSelf', 'keys.find', 'keys.findOwn']

/** Shares of days, which no count can be read from: its own tests hold that the days are the reader's. */
const withoutCounts = ['statusPage.read']

/** Figures of today and of the days before, in place of figures between two moments. */
const isOfNow = (name: string) => /summary|activity|^tokens\.calls|^keys\.|^statements\./i.test(name)

async function faultsOf(scene: Scene, isRequested: (name: string) => boolean): Promise<readonly unknown[]> {
  const wrong: unknown[] = []
  for (const [name, asks] of Object.entries(doors).filter(([call]) => isRequested(call)))
    for (const ask of asks) {
      const [found, expected] = await ask(scene)
      if (!Bun.deepEquals(found, expected))
        wrong.push({ name, zone: scene.zone, date: scene.date, found, expected })
    }
  return wrong
}

const lengthsOf = Object.fromEntries(zones.map((zone) => [zone, new Set<number>()])) as Readonly<
  Record<(typeof zones)[number], Set<number>>
>

describe('days by the clock of the reader', () => {
  it('are asked for at every call that takes a clock or two moments', () => {
    const takesTimes = (shape: object) => 'time_zone' in shape || 'start_timestamp' in shape
    const found = contractCalls.filter(({ call }) =>
      takesTimes((call.query as { readonly shape?: object } | undefined)?.shape ?? {}),
    )
    const known = [...Object.keys(doors), ...bySecond, ...sameFigures, ...withoutCounts]
    expect(found.map(({ name }) => name).toSorted()).toEqual(known.toSorted())
  })

  it.each(changes)(
    'are those of the rows at every door, in every zone, as clocks change on %s',
    async (date) => {
      await setClock(Date.parse(date) / 1000 - 86_400)
      const root = await logIn(gateway.url, rootAccount)
      const wrong: unknown[] = []
      for (const zone of zones) {
        const [former, start, end] = [-1, 0, 1].map((days) => startOf(daysLater(date, days), zone)) as [
          number,
          number,
          number,
        ]
        lengthsOf[zone].add((end - start) / hourSeconds)
        await setClock(start + 300)
        const scene = { root, zone, date, start, end }
        wrong.push(...(await faultsOf(scene, (name) => isOfNow(name))))
        const before = { ...scene, date: daysLater(date, -1), start: former, end: start }
        wrong.push(...(await faultsOf(before, (name) => !isOfNow(name))))
        await setClock(end + 300)
        wrong.push(...(await faultsOf(scene, (name) => !isOfNow(name))))
      }
      expect(wrong).toEqual([])
    },
  )

  it('have 23 or 25 hours where clocks change', () => {
    for (const zone of zones) {
      const isFixed = ['Asia/Kolkata', 'Asia/Kathmandu', 'UTC'].includes(zone)
      expect([zone, [...lengthsOf[zone]].toSorted((a, b) => a - b)]).toEqual([
        zone,
        isFixed ? [24] : [23, 24, 25],
      ])
    }
  })
})

describe.skipIf(!hasChromium())('the pages of a reader', () => {
  /** In the evening by the clocks of St. John's, which changed the day before; early in the next morning by those of Kolkata. */
  const at = Math.max(...made.map(({ createdAt }) => createdAt)) + 60
  const money = (calls: readonly Call[]) =>
    `$${Number((sum(calls, ({ quota }) => quota) / 500_000).toPrecision(2))}`
  const spend = (calls: readonly Call[]) => `All users ${money(calls)} ${calls.length} `

  /** What each page prints, in its words. */
  function printed(zone: string): Readonly<Record<string, string>> {
    const today = dateIn(zone, at)
    const week = daysLater(today, -6)
    const [own, rows] = [since(charged, zone, today), since(made, zone, today)]
    const october = charged.filter(({ createdAt }) => dateIn(zone, createdAt).startsWith('2026-10'))
    const ofWeek = `Spent in 7 days, all users ${money(since(charged, zone, week))}`
    const counts = `Calls today ${rows.length} ${since(made, zone, week).length} in 7 days`
    const errors = rows.length - own.length
    return {
      '/detail': `Spent today, all users ${money(own)} ${ofWeek} ${counts}`,
      '/log': `${own.length} calls ${errors} error`,
      '/log?page=1': `1–${rows.length} of ${rows.length}`,
      '/spend': spend(since(charged, zone, '2026-11-01')),
      '/spend?range=last-month': spend(october),
    }
  }

  it.each(['Asia/Kolkata', 'America/St_Johns'])('print what the rows of their days say: %s', async (zone) => {
    await setClock(at)
    const { browser, context, page, thrown } = await openConsole(gateway.url, { timezoneId: zone })
    try {
      await context.clock.setFixedTime(at * 1000)
      for (const [path, text] of Object.entries(printed(zone))) {
        await page.goto(gateway.url + path)
        // biome-ignore lint/performance/useDomNodeTextContent: as it is laid out, words of neighbours are apart
        const read = async () => (await page.locator('main').innerText()).replace(/\s+/g, ' ')
        const isThere = await until(async () => (await read()).includes(text) || undefined).catch(() => false)
        expect([path, isThere ? text : await read()]).toEqual([path, text])
      }
      expect(thrown).toEqual([])
    } finally {
      await browser.close()
    }
  })
})
