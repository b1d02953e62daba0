import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { SQL } from 'bun'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { chargedCalls, type Nodes, startNodes } from '../../support/fleet.ts'
import { type Operator, operate } from '../../support/operator.ts'
import { hasPostgres, type Postgres, startPostgres } from '../../support/postgres.ts'
import type { Tollgate } from '../../support/server.ts'
import { type MusicUpstream, startMusicUpstream } from '../../support/tasks/music.ts'
import { until } from '../../support/until.ts'

setDefaultTimeout(deadline(180_000))

/** 0.1 dollars. */
const songPrice = 50_000
/** `FLEET_KILLS=20 npm test -- operation/fleet-tasks` takes a minute. */
const { FLEET_KILLS = '4' } = process.env
const kills = Number(FLEET_KILLS)

interface TaskRow {
  readonly task_id: string
  readonly status: string
  readonly quota: number
}

describe.skipIf(!hasPostgres())('tasks of three nodes', () => {
  let postgres: Postgres
  let databaseUrl: string
  let music: MusicUpstream
  let nodes: Nodes
  let operator: Operator
  let key: string

  beforeAll(async () => {
    postgres = await startPostgres()
    databaseUrl = await postgres.createDatabase()
    music = startMusicUpstream()
    nodes = await startNodes({ DATABASE_URL: databaseUrl, TASK_POLL_SECONDS: '1' })
    operator = await operate(nodes[0].url)
    await operator.addChannel({ name: 'songs', type: 36, base_url: music.url, models: 'suno_music' })
    key = (await operator.addKey({ name: 'songs' })).key
  })
  afterAll(async () => {
    for (const node of nodes ?? []) await node.stop()
    await music?.stop()
    await postgres?.stop()
  })

  /** @returns the id that the caller received */
  async function submit({ url }: Tollgate, prompt: string): Promise<string> {
    const reply = await fetch(`${url}/suno/submit/music`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify({ prompt }),
    })
    const { code, data } = (await reply.json()) as { code: string; data: string }
    if (code !== 'success') throw new Error(`${reply.status} ${code}`)
    return data
  }

  async function allTasks(): Promise<readonly TaskRow[]> {
    const rows: TaskRow[] = []
    for (let page = 0; ; page += 1) {
      const found = await operator.api<TaskRow[]>('GET', `/api/task/?p=${page}&page_size=100`)
      rows.push(...found)
      if (found.length < 100) return rows
    }
  }

  const isOver = ({ status }: TaskRow) => status === 'SUCCESS' || status === 'FAILURE'
  const untilAllOver = () =>
    until(async () => {
      const rows = await allTasks()
      return rows.every(isOver) ? rows : undefined
    }, 40_000)

  /** Nothing was charged but the songs that were made, each once. */
  async function expectCharges(rows: readonly TaskRow[], before: number): Promise<void> {
    const made = rows.filter(({ status }) => status === 'SUCCESS').length
    await until(async () => ((await operator.consumed()) >= made ? true : undefined))
    const charges = [...(await chargedCalls(operator)).values()].flat()
    expect(charges.map(({ quota }) => quota)).toEqual(Array.from({ length: made }, () => songPrice))
    expect(before - (await operator.quota())).toBe(made * songPrice)
  }

  it('end once, by another node when the one that took them dies', async () => {
    const before = await operator.quota()
    const list = await operator.api<{ address: string; jobs: readonly string[] }[]>('GET', '/api/nodes')
    const poller = list.find(({ jobs }) => jobs.includes('ask-about-tasks'))
    const victim = nodes.find(({ url }) => poller?.address.endsWith(`:${new URL(url).port}`))
    const other = nodes.find((node) => node !== victim)
    if (victim === undefined || other === undefined) throw new Error('no node asks about tasks')
    operator = operator.at(other.url)
    music.rounds = Number.POSITIVE_INFINITY
    const ids = [await submit(victim, 'sing'), await submit(victim, 'fail')]
    await until(() =>
      music.questions.some((requested) => ids.every((id) => requested.includes(id))) ? true : undefined,
    )
    await victim.kill('SIGKILL')
    music.rounds = 0
    const rows = await untilAllOver()
    expect(rows.map(({ status }) => status).toSorted()).toEqual(['FAILURE', 'SUCCESS'])
    await victim.start()
    // A node that takes the ended tasks up again would ask for them.
    const requested = music.questions.length
    await Bun.sleep(2500)
    expect(music.questions.length).toBe(requested)
    await expectCharges(rows, before)
  })

  it('are lost and doubled by no kill, and refunded once where they failed', async () => {
    music.rounds = 1
    music.delayMs = 20
    const before = (await operator.quota()) + (await operator.consumed()) * songPrice
    const reported = new Map<string, boolean>()
    let isStopping = false
    async function work(node: Tollgate, lane: number): Promise<void> {
      for (let index = lane; !isStopping; index += 1) {
        const fails = index % 3 === 0
        const id = await submit(node, fails ? 'fail' : 'sing').catch(() => undefined)
        if (id !== undefined) reported.set(id, fails)
        await Bun.sleep(100)
      }
    }
    const working = nodes.map((node, lane) => work(node, lane))
    for (let kill = 0; kill < kills; kill += 1) {
      await Bun.sleep(250 + ((kill * 173) % 900))
      const victim = nodes[kill % nodes.length]
      await victim?.restart('SIGKILL')
    }
    isStopping = true
    await Promise.all(working)
    // Tasks that a crash left half dispatched count as lost after ten minutes: the test moves the rows' time.
    await using sql = new SQL(databaseUrl, { max: 1 })
    await sql`update tasks set updated_ms = updated_ms - 700000 where reference = '' and finished_ms = 0`
    const rows = await untilAllOver()
    const byId = new Map(rows.map((row) => [row.task_id, row]))
    expect(reported.size).toBeGreaterThan(10)
    for (const [id, fails] of reported)
      expect(byId.get(id)).toMatchObject({
        status: fails ? 'FAILURE' : 'SUCCESS',
        quota: fails ? 0 : songPrice,
      })
    const made = rows.filter(({ status }) => status === 'SUCCESS').map(({ task_id }) => task_id)
    expect(new Set(made).size).toBe(made.length)
    await expectCharges(rows, before)
    for (const node of nodes) await node.kill('SIGTERM')
    for (const node of nodes) expect((await node.run('audit')).output).toContain('adds up')
  })
})
