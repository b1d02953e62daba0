import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { join } from 'node:path'
import { SQL } from 'bun'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { operate } from '../../support/operator.ts'
import { hasPostgres, type Postgres, startPostgres } from '../../support/postgres.ts'
import { runTollgate, startTollgate, type Tollgate } from '../../support/server.ts'
import { respond } from '../../support/upstream/behaviours.ts'
import { startUpstream, type Upstream } from '../../support/upstream/upstream.ts'

setDefaultTimeout(deadline(60_000))

// (20 + 10 × 4) × 1.25
const chargePerCall = 75
const calls = 5

describe.skipIf(!hasPostgres())('the journal of a node that died without its database', () => {
  let postgres: Postgres
  let databaseUrl: string
  let upstream: Upstream
  let dead: Tollgate

  const env = () => ({
    DATABASE_URL: databaseUrl,
    TOLLGATE_SECRET: 'the secret of every node of this fleet',
  })
  const recover = (directory = join(dead.dataDir, 'journal')) =>
    runTollgate(['recover', '--journal', directory], env())
  const passAMinute = async () => {
    await using sql = new SQL(databaseUrl, { max: 1 })
    await sql`update nodes set seen_ms = seen_ms - 60000`
  }

  beforeAll(async () => {
    postgres = await startPostgres()
    databaseUrl = await postgres.createDatabase()
    upstream = await startUpstream()
    upstream.otherwise(respond({ usage: { promptTokens: 20, completionTokens: 10 } }))
    dead = await startTollgate({ env: env() })
    const operator = await operate(dead.url)
    await operator.addChannel({ name: 'only', base_url: upstream.url, models: 'gpt-4o' })
    const { key } = await operator.addKey()
    const call = () =>
      fetch(`${dead.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}` },
        body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] }),
      }).then(async (response) => [response.status, await response.text()])
    await call()
    await operator.consumption(1)
    expect(await recover()).toMatchObject({ code: 1 })
    await postgres.kill()
    for (let served = 0; served < calls; served += 1) expect((await call())[0]).toBe(200)
    await dead.kill('SIGKILL')
    await postgres.start()
  })
  afterAll(async () => {
    await dead?.stop()
    await upstream?.stop()
    await postgres?.stop()
  })

  it('is left alone while the node may come back', async () => {
    const { code, output } = await recover()
    expect([code, output]).toEqual([1, expect.stringContaining('wait until it has been silent for a minute')])
  })

  it('is settled once, however often it is recovered', async () => {
    await passAMinute()
    const { code, output } = await recover()
    expect(output).toContain(`${calls} settled calls (quota ${calls * chargePerCall}) of node `)
    expect(code).toBe(0)
    for (let round = 0; round < 2; round += 1) {
      const again = await recover()
      expect([again.code, again.output]).toEqual([0, expect.stringContaining('The database has everything')])
    }
    const audit = await dead.run('audit')
    expect([audit.code, audit.output]).toEqual([0, 'Everything adds up.\n'])
  })

  it('leaves nothing to settle for a node that starts over it again', async () => {
    await dead.start()
    const operator = await operate(dead.url)
    expect(await operator.consumed()).toBe(calls + 1)
    expect(await recover()).toMatchObject({
      code: 1,
      output: expect.stringContaining('Another Tollgate process'),
    })
  })

  it('is refused in one line where there is none, or no fleet', async () => {
    const nowhere = await recover('/nowhere/journal')
    expect([nowhere.code, nowhere.output]).toEqual([
      1,
      expect.stringContaining('There is no journal in /nowhere/journal'),
    ])
    const alone = await runTollgate(['recover', '--journal', '/nowhere'], {})
    expect([alone.code, alone.output]).toEqual([1, expect.stringContaining('set DATABASE_URL')])
  })
})
