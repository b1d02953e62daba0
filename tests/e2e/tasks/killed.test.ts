import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { type Operator, operate } from '../../support/operator.ts'
import { openBeside } from '../../support/processes/open-beside.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { type MusicUpstream, startMusicUpstream } from '../../support/tasks/music.ts'
import { until } from '../../support/until.ts'

setDefaultTimeout(deadline(120_000))

const env = { GLOBAL_API_RATE_LIMIT_ENABLE: 'false', TASK_POLL_SECONDS: '1' }
/** 0.1 dollars. */
const price = 50_000
const kills = 6

let upstream: MusicUpstream
let gateway: Tollgate
let operator: Operator
let key: string

beforeAll(async () => {
  upstream = startMusicUpstream()
  upstream.delayMs = 20
  gateway = await startTollgate({ env })
  operator = await operate(gateway.url)
  await operator.addChannel({
    name: 'songs',
    type: 36,
    base_url: upstream.url,
    models: 'suno_music,suno_lyrics',
  })
  key = (await operator.addKey()).key
})
afterAll(async () => {
  await gateway?.stop()
  await upstream?.stop()
})

interface TaskRow {
  readonly task_id: string
  readonly status: string
  readonly quota: number
}

/** @returns the id that the caller received */
async function submit(prompt: string): Promise<string> {
  const reply = await fetch(`${gateway.url}/suno/submit/music`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ prompt }),
  })
  const { code, data } = (await reply.json()) as { code: string; data: string }
  if (code !== 'success') throw new Error(`${reply.status} ${code}`)
  return data
}

async function allTasks(): Promise<TaskRow[]> {
  const rows: TaskRow[] = []
  for (let page = 0; ; page += 1) {
    const found = await operator.api<TaskRow[]>('GET', `/api/task/?p=${page}&page_size=100`)
    rows.push(...found)
    if (found.length < 100) return rows
  }
}

/** Tasks that a crash left half dispatched count as lost after ten minutes: the test moves the rows' time. */
function letHandOversGoBy(): void {
  const database = openBeside(gateway.dataDir)
  database.run(`update tasks set updated_ms = updated_ms - 700000 where reference = '' and finished_ms = 0`)
  database.close()
}

describe('kill -9 while songs are submitted, asked about and ended', () => {
  it('loses no song, charges each that was made once, and refunds all others', async () => {
    const before = await operator.quota()
    const reported = new Map<string, boolean>()
    let stopping = false
    async function work(lane: number): Promise<void> {
      for (let index = 0; !stopping; index += 1) {
        const fails = (lane + index) % 3 === 0
        const id = await submit(fails ? 'fail' : 'sing').catch(() => undefined)
        if (id !== undefined) reported.set(id, fails)
        await Bun.sleep(40)
      }
    }
    const lanes = Array.from({ length: 6 }, (_, lane) => work(lane))
    for (let kill = 0; kill < kills; kill += 1) {
      // Into submissions, questions and ends alike.
      await Bun.sleep(250 + ((kill * 173) % 900))
      await gateway.restart('SIGKILL')
    }
    stopping = true
    await Promise.all(lanes)
    await gateway.kill('SIGKILL')
    letHandOversGoBy()
    await gateway.start()
    operator = await operate(gateway.url)

    const isOver = ({ status }: TaskRow) => status === 'SUCCESS' || status === 'FAILURE'
    await until(async () => (await allTasks()).every(isOver) || undefined, 40_000)
    const rows = await allTasks()
    const byId = new Map(rows.map((row) => [row.task_id, row]))
    expect(reported.size).toBeGreaterThan(10)
    for (const [id, fails] of reported)
      expect(byId.get(id)).toMatchObject({ status: fails ? 'FAILURE' : 'SUCCESS', quota: fails ? 0 : price })
    const made = rows.filter(({ status }) => status === 'SUCCESS')
    expect(new Set(made.map(({ task_id }) => task_id)).size).toBe(made.length)
    expect(await operator.consumed()).toBe(made.length)
    expect(before - (await operator.quota())).toBe(made.length * price)

    await gateway.kill()
    const audit = await gateway.run('audit')
    expect(audit.output).toContain('adds up')
    expect(audit.code).toBe(0)
    await gateway.start()
    operator = await operate(gateway.url)
  })
})

describe('an upstream that is gone', () => {
  it('has its songs refunded once, when it has been gone for a day', async () => {
    const before = await operator.quota()
    upstream.rounds = 1000
    const id = await submit('sing')
    upstream.isHidden = true
    expect(before - (await operator.quota())).toBe(price)
    await gateway.kill()
    const database = openBeside(gateway.dataDir)
    database.run(`update tasks set submitted_ms = submitted_ms - 100000000 where upstream_id = '${id}'`)
    database.close()
    await gateway.start()
    operator = await operate(gateway.url)
    const find = async () => (await allTasks()).find(({ task_id }) => task_id === id)
    await until(async () => (await find())?.status === 'FAILURE' || undefined, 20_000)
    expect(await find()).toMatchObject({ quota: 0 })
    expect(await operator.quota()).toBe(before)
  })
})
