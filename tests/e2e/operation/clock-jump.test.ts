import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { findTool } from '../../../scripts/lib/tools.mjs'
import { createClock } from '../../support/clock.ts'
import { operate } from '../../support/operator.ts'
import { hasPostgres, type Postgres, startPostgres } from '../../support/postgres.ts'
import { startTollgate } from '../../support/server.ts'
import { until } from '../../support/until.ts'

setDefaultTimeout(deadline(60_000))

const hasClock = findTool('faketime') !== undefined

/** A gateway whose clock the test sets while it runs. */
async function start(env: Readonly<Record<string, string>>) {
  const clock = createClock()
  const gateway = await startTollgate({ env: { ...clock.env, ...env } })
  const readiness = async () => {
    const response = await fetch(`${gateway.url}/readyz`)
    return { status: response.status, ...((await response.json()) as { clock: boolean }) }
  }
  return { gateway, clock, readiness }
}

type Running = Awaited<ReturnType<typeof start>>

describe.skipIf(!hasPostgres() || !hasClock)('a node of a fleet whose clock jumps', () => {
  let postgres: Postgres
  let node: Running
  beforeAll(async () => {
    postgres = await startPostgres()
    node = await start({ DATABASE_URL: await postgres.createDatabase() })
  })
  afterAll(async () => {
    await node?.gateway.stop()
    await postgres?.stop()
    node?.clock.remove()
  })

  it.each([
    [3600, 'forwards', 'ahead of'],
    [-3600, 'backwards', 'behind'],
  ])(
    'by %d s takes no calls and no jobs of the fleet until it is right again',
    async (seconds, way, where) => {
      const { gateway, clock, readiness } = node
      const root = await operate(gateway.url)
      const jobs = async () =>
        (await root.api<readonly { jobs: readonly string[] }[]>('GET', '/api/nodes'))[0]?.jobs
      await until(async () => ((await jobs())?.length ?? 0) > 0 || undefined)
      expect(await readiness()).toMatchObject({ status: 200, clock: true })
      clock.offBy(seconds)
      expect(await readiness()).toMatchObject({ status: 503, clock: false })
      await until(() => gateway.logs().includes(`minutes ${where} that of the database`) || undefined)
      expect(gateway.logs()).toContain(`jumped 3600 s ${way}`)
      await until(async () => (await readiness()).status === 503 || undefined)
      clock.offBy(0)
      await until(async () => (await readiness()).status === 200 || undefined)
      expect(gateway.logs()).toContain('the database confirms the clock')
    },
  )
})

describe.skipIf(!hasClock)('the only gateway of a database', () => {
  let lone: Running
  beforeAll(async () => {
    lone = await start({})
  })
  afterAll(async () => {
    await lone?.gateway.stop()
    lone?.clock.remove()
  })

  it('says that its clock jumped, and goes on', async () => {
    lone.clock.offBy(7200)
    await until(() => lone.gateway.logs().includes('jumped 7200 s forwards') || undefined)
    expect(await lone.readiness()).toMatchObject({ status: 200, clock: true })
  })
})
