import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { startTcpProxy, type TcpProxy } from '../../support/network/tcp-proxy.ts'
import { hasPostgres, type Postgres, startPostgres } from '../../support/postgres.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { until } from '../../support/until.ts'

setDefaultTimeout(deadline(90_000))

describe.skipIf(!hasPostgres())('two processes of one node on PostgreSQL', () => {
  let postgres: Postgres
  let proxy: TcpProxy
  let databaseUrl: string
  let first: Tollgate
  let folder: string

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tollgate-copies-'))
    postgres = await startPostgres()
    proxy = await startTcpProxy(postgres.port)
    databaseUrl = await postgres.createDatabase()
    const proxied = new URL(databaseUrl)
    proxied.port = String(proxy.port)
    first = await startTollgate({ env: { DATABASE_URL: proxied.href, ...secret } })
  })
  afterAll(async () => {
    await first?.stop()
    await proxy?.stop()
    await postgres?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const secret = { TOLLGATE_SECRET: 'the secret of every node of this database' }

  /** Starts over a copy of the first's data directory, and so with its journal. */
  function startCopy(name: string): Promise<Tollgate> {
    const dataDir = join(folder, name)
    cpSync(first.dataDir, dataDir, { recursive: true })
    rmSync(join(dataDir, 'journal', 'lock'), { force: true })
    return startTollgate({ env: { DATABASE_URL: databaseUrl, LOG_LEVEL: 'warn', ...secret }, dataDir })
  }

  it('change over when the first is stopped while the second starts', async () => {
    const starting = startCopy('second')
    await Bun.sleep(1500)
    expect(await first.kill()).toBe(0)
    const next = await starting
    expect((await fetch(`${next.url}/readyz`)).status).toBe(200)
    expect(await next.kill()).toBe(0)
    await first.start()
  })

  it('are never two for long: the first ends when it finds that the second took its place', async () => {
    proxy.stall()
    await Bun.sleep(6000)
    const next = await startCopy('third')
    proxy.resume()
    await until(() => (first.logs().includes('has taken node') ? true : undefined), 20_000)
    expect(await first.kill()).toBe(1)
    expect((await fetch(`${next.url}/readyz`)).status).toBe(200)
    await next.kill()
  })
})
