import type { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { type Operator, operate } from '../../support/operator.ts'
import { openBeside } from '../../support/processes/open-beside.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import {
  type FaultyTasksUpstream,
  faults,
  startFaultyTasksUpstream,
} from '../../support/tasks/faulty-tasks.ts'
import { until } from '../../support/until.ts'

setDefaultTimeout(deadline(60_000))

interface Row {
  readonly id: number
  readonly prompt: string
  readonly status: string
  readonly quota: number
}

const forms = {
  drawings: { type: 2, key: 'secret', models: 'mj_imagine', path: '/mj/submit/imagine', order: {} },
  songs: { type: 36, key: 'secret', models: 'suno_music', path: '/suno/submit/music', order: {} },
  videos: { type: 50, key: 'ak|sk', models: 'kling-v1', path: '/v1/videos', order: { model: 'kling-v1' } },
} as const
type Form = keyof typeof forms
const names = Object.keys(forms) as readonly Form[] // Its keys are the names.

let upstream: FaultyTasksUpstream
let gateway: Tollgate
let operator: Operator
let key: string

beforeAll(async () => {
  upstream = startFaultyTasksUpstream()
  gateway = await startTollgate({ env: { TASK_POLL_SECONDS: '1', GLOBAL_API_RATE_LIMIT_ENABLE: 'false' } })
  operator = await operate(gateway.url)
  for (const name of names) {
    const { type, models, key } = forms[name]
    await operator.addChannel({ name, type, key, models, base_url: upstream.url })
  }
  key = (await operator.addKey({ unlimited_quota: true })).key
})
afterAll(async () => {
  const audit = await gateway?.run('audit')
  await gateway?.stop()
  await upstream?.stop()
  expect(audit?.code).toBe(0)
})

async function submit(form: Form, prompt: string): Promise<void> {
  const { path, order } = forms[form]
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ ...order, prompt })
  const reply = await fetch(gateway.url + path, { method: 'POST', headers, body })
  expect(reply.status).toBe(200)
}

function inStore<Result>(act: (database: Database) => Result): Result {
  const database = openBeside(gateway.dataDir)
  try {
    return act(database)
  } finally {
    database.close()
  }
}

const since = (id: number) =>
  inStore((database) =>
    database
      .query<Row, [number]>('select id, prompt, status, quota from tasks where id > ? order by id')
      .all(id),
  )
const last = () =>
  inStore((db) => db.query<{ id: number }, []>('select max(id) as id from tasks').get()?.id ?? 0)
const isOver = ({ status }: Row) => status === 'SUCCESS' || status === 'FAILURE'

/** An hour goes by for all tasks that are open. */
async function letTimeGoBy(): Promise<void> {
  await gateway.kill()
  inStore((database) =>
    database.run('update tasks set submitted_ms = submitted_ms - 3700000 where finished_ms = 0'),
  )
  await gateway.start()
  operator = await operate(gateway.url)
}

describe.each(names)('%s', (form) => {
  it.each(faults)('of which one is odd (%s) end as if it were not there', async (fault) => {
    const first = last()
    for (const prompt of ['before', `odd:${fault}`, 'behind']) await submit(form, prompt)
    const odd = () => since(first).find(({ prompt }) => prompt.startsWith('odd:'))
    const good = () => since(first).filter(({ prompt }) => !prompt.startsWith('odd:'))
    await until(async () => good().every(isOver) || undefined, 15_000)
    expect(good().map(({ status, quota }) => [status, quota > 0])).toEqual([
      ['SUCCESS', true],
      ['SUCCESS', true],
    ])
    // A drawing or song without an address may be a text.
    const isMade = fault === 'no address' && form !== 'videos'
    if (isMade || fault === 'not known')
      await until(async () => (odd() && isOver(odd() as Row)) || undefined, 30_000)
    else expect(odd()?.status).not.toMatch(/SUCCESS|FAILURE/)
    expect(odd()).toMatchObject(isMade ? { status: 'SUCCESS' } : fault === 'not known' ? { quota: 0 } : {})
  })

  it('that only break polls are refunded at their deadline while the upstream responds for others', async () => {
    await letTimeGoBy()
    const first = last()
    await submit(form, 'behind')
    const ended = () =>
      since(0).every(({ prompt, status, quota, id }) => {
        if (id > first || !prompt.startsWith('odd:')) return true
        return status === 'FAILURE' ? quota === 0 : status === 'SUCCESS'
      })
    await until(async () => ended() || undefined, 30_000)
  })
})

it('while the upstream is down ends nothing, and all that was made once it is back', async () => {
  const first = last()
  upstream.isDown = true
  const balance = await operator.quota()
  upstream.isDown = false
  for (const form of names) await submit(form, 'while it is down')
  upstream.isDown = true
  await letTimeGoBy()
  const requested = since(first).map(({ id }) => id)
  await Bun.sleep(3000)
  expect(
    since(first)
      .filter(({ id }) => requested.includes(id))
      .some(isOver),
  ).toBe(false)
  upstream.isDown = false
  await until(async () => since(first).every(({ status }) => status === 'SUCCESS') || undefined, 40_000)
  expect(await operator.quota()).toBeLessThan(balance)
})
