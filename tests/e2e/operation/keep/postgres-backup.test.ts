import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deadline } from '../../../../scripts/deadline/deadline.mjs'
import { findTool } from '../../../../scripts/lib/tools.mjs'
import { chargedCalls } from '../../../support/fleet.ts'
import { loadCalls, pacedMs } from '../../../support/load.ts'
import { logIn, operate, rootAccount } from '../../../support/operator.ts'
import { hasPostgres, type Postgres, startPostgres } from '../../../support/postgres.ts'
import { runTollgate, startTollgate, type Tollgate } from '../../../support/server.ts'
import { respond } from '../../../support/upstream/behaviours.ts'
import { startUpstream, type Upstream } from '../../../support/upstream/upstream.ts'

setDefaultTimeout(deadline(90_000))

describe.skipIf(!hasPostgres())('a backup of PostgreSQL under load', () => {
  let postgres: Postgres
  let upstream: Upstream
  let gateway: Tollgate
  let folder: string
  const secret = {
    TOLLGATE_SECRET: 'the secret of every node of this fleet',
    GLOBAL_API_RATE_LIMIT_ENABLE: 'false',
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tollgate-dump-'))
    postgres = await startPostgres()
    upstream = await startUpstream()
    upstream.otherwise(respond({ delayMs: pacedMs, usage: { promptTokens: 20, completionTokens: 10 } }))
  })
  afterAll(async () => {
    await gateway?.stop()
    await upstream?.stop()
    await postgres?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  async function tool(name: string, ...args: string[]): Promise<void> {
    const child = Bun.spawn([join(findTool('postgres') ?? '', name), ...args], {
      stdout: 'ignore',
      stderr: 'pipe',
    })
    const stated = await new Response(child.stderr).text()
    expect([await child.exited, stated]).toEqual([0, ''])
  }

  it('is the file of the node and a dump: elsewhere every delivered call is charged once', async () => {
    const databaseUrl = await postgres.createDatabase()
    gateway = await startTollgate({ env: { DATABASE_URL: databaseUrl, ...secret } })
    const operator = await operate(gateway.url)
    await operator.addChannel({ name: 'only', base_url: upstream.url, models: 'gpt-4o' })
    const { key } = await operator.addKey()
    const load = loadCalls(gateway.url, key, 6)
    await Bun.sleep(1500)
    const before = [...load.served]
    const made = await gateway.run('backup', join(folder, 'node.tar'))
    expect([made.code, made.output]).toEqual([0, expect.stringContaining('pg_dump --format=custom')])
    await tool('pg_dump', '--format=custom', `--file=${join(folder, 'tollgate.dump')}`, databaseUrl)
    await Bun.sleep(300)
    await load.end()
    expect(load.failures).toEqual([])
    expect(before.length).toBeGreaterThan(10)

    const elsewhere = await postgres.createDatabase()
    await tool('pg_restore', '--no-owner', `--dbname=${elsewhere}`, join(folder, 'tollgate.dump'))
    mkdirSync(join(folder, 'data'))
    const env = { DATABASE_URL: elsewhere, DATA_DIR: join(folder, 'data'), ...secret }
    for (let round = 0; round < 2; round += 1) {
      const restored = await runTollgate(['restore', join(folder, 'node.tar')], env)
      expect([restored.code, restored.output]).toEqual([0, expect.any(String)])
    }
    const other = await startTollgate({ dataDir: join(folder, 'data'), env })
    try {
      const charged = await chargedCalls(await logIn(other.url, rootAccount))
      expect(before.filter((id) => charged.get(id)?.length !== 1)).toEqual([])
    } finally {
      await other.kill()
    }
    const audit = await runTollgate(['audit'], env)
    expect([audit.code, audit.output]).toEqual([0, 'Everything adds up.\n'])
  })
})
