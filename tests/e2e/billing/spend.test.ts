import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import type { CallsOfWeek, SpendTable, UserActivity } from '../../../packages/api/src/index.ts'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { addUser } from '../../support/add-user.ts'
import { type Operator, operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { until } from '../../support/until.ts'
import { refuse, respond } from '../../support/upstream/behaviours.ts'
import { startUpstream, type Upstream } from '../../support/upstream/upstream.ts'

setDefaultTimeout(deadline(60_000))

/** Name as long as a name may be. */
const longName = 'a-name-of-thirty-two-characters-'
const models = Array.from({ length: 9 }, (_, at) => `model-${at + 1}`)

let upstream: Upstream
let gateway: Tollgate
let operator: Operator
let ann: Operator
let annKey: { readonly id: number; readonly key: string }

async function call(key: string, model: string): Promise<number> {
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Question' }] }),
  })
  await response.text()
  return response.status
}

interface Cell {
  readonly user_id: number
  readonly model_name: string
  readonly quota: number
}

/** The charges of the log, which the table has to add up to. */
async function charges(): Promise<readonly Cell[]> {
  const { items } = await operator.api<{ items: Cell[] }>('GET', '/api/log/?p=1&page_size=100&type=2')
  return items
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
const sumOf = (cells: readonly Cell[]) => sum(cells.map(({ quota }) => quota))
const headersOf = ({ cookie, userId }: Operator) => ({ cookie, 'New-Api-User': String(userId) })

describe('spend, and how calls ended', () => {
  beforeAll(async () => {
    upstream = await startUpstream()
    upstream.otherwise(
      respond({ text: 'a short answer', usage: { promptTokens: 2000, completionTokens: 10 } }),
    )
    upstream.on('broken', refuse(500))
    gateway = await startTollgate({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' } })
    operator = await operate(gateway.url)
    const ratios = Object.fromEntries([...models.map((model, at) => [model, 100 - at]), ['broken', 1]])
    await operator.option('ModelRatio', JSON.stringify(ratios))
    await operator.addChannel({
      name: 'main',
      base_url: upstream.url,
      models: [...models, 'broken'].join(','),
    })
    ann = await addUser(gateway, 'ann', 500_000_000)
    annKey = await ann.addKey({ name: 'laptop' })
    const other = await addUser(gateway, longName, 500_000_000)
    const otherKey = await other.addKey()
    for (const model of models) expect(await call(annKey.key, model)).toBe(200)
    for (let round = 0; round < 3; round += 1) expect(await call(otherKey.key, 'model-2')).toBe(200)
    expect(await call(annKey.key, 'broken')).toBeGreaterThanOrEqual(400)
    expect(await call(annKey.key, 'no-such-model')).toBeGreaterThanOrEqual(400)
    await until(async () => ((await charges()).length === 12 ? true : undefined))
  })
  afterAll(async () => {
    await gateway?.stop()
    await upstream?.stop()
  })

  it('adds up to the log, by user and model', async () => {
    const log = await charges()
    const { rows, total, models: columns } = await operator.api<SpendTable>('GET', '/api/data/spend?p=1')
    expect(total).toMatchObject({ users: 2, quota: sumOf(log), count: 12 })
    const mine = log.filter(({ user_id }) => user_id === ann.userId)
    expect(rows.map(({ username, quota, count }) => [username, quota, count])).toEqual([
      ['ann', sumOf(mine), 9],
      [longName, sumOf(log) - sumOf(mine), 3],
    ])
    // Six models have a column; the dearest is that of both users.
    expect(columns).toEqual(['model-2', 'model-1', 'model-3', 'model-4', 'model-5', 'model-6'])
    const others = mine.filter(({ model_name }) => !columns.includes(model_name))
    const [first] = rows
    expect((first?.quota ?? 0) - sum(first?.by_model ?? [])).toBe(sumOf(others))
  })

  it('is exported with a line per user and model, which adds up to the same', async () => {
    const response = await fetch(`${gateway.url}/api/data/spend/export`, { headers: headersOf(operator) })
    const [header, ...lines] = (await response.text()).trim().split('\r\n')
    expect(header).toContain('User ID,User,Model,Calls')
    // Without times of its own it is of thirty days, and its name says so.
    expect(response.headers.get('content-disposition')).toMatch(/spend-\d{4}-\d\d-\d\d_\d{4}-\d\d-\d\d\.csv/)
    expect(lines).toHaveLength(10)
    expect(sum(lines.map((line) => Number(line.split(',')[7])))).toBe(sumOf(await charges()))
  })

  it('tells a user’s calls by whose fault they failed, and their failed calls in the log', async () => {
    const { calls: ended } = await operator.api<UserActivity>('GET', `/api/user/${ann.userId}/activity`)
    const { week, failed_rows } = ended
    expect(week.ok).toBe(9)
    expect(week.faults).toMatchObject({ upstream: 1 })
    expect((week.faults['no_channel'] ?? 0) + (week.faults['caller'] ?? 0)).toBe(1)
    const failed = await operator.api<{ total: number }>('GET', '/api/log/?p=1&type=5&username=ann')
    expect(failed.total).toBe(2)
    expect(failed_rows).toBe(2)
  })

  it('tells the owner of a key how its calls ended, and nobody else', async () => {
    const path = `/api/token/${annKey.id}/calls`
    const { week } = await ann.api<CallsOfWeek>('GET', path)
    expect(week).toMatchObject({ ok: 9, faults: { upstream: 1 } })
    expect((await operator.call('GET', path)).success).toBe(false)
    expect((await ann.call('GET', '/api/data/spend?p=1')).success).toBe(false)
  })
})
