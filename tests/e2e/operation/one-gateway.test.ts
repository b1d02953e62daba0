import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../support/network/free-port.ts'
import { startTcpProxy, type TcpProxy } from '../../support/network/tcp-proxy.ts'
import { hasPostgres, type Postgres, startPostgres } from '../../support/postgres.ts'
import { runTollgate, startTollgate, type Tollgate } from '../../support/server.ts'
import { until } from '../../support/until.ts'

setDefaultTimeout(90_000)

describe.skipIf(!hasPostgres())('two gateways on one PostgreSQL database', () => {
  let postgres: Postgres
  let proxy: TcpProxy
  let databaseUrl: string
  let first: Tollgate
  let folder: string

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tollgate-second-'))
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
  const second = () => ({ DATABASE_URL: databaseUrl, LOG_LEVEL: 'warn', ...secret })

  it('are one: the second is refused in one line, and the first goes on', async () => {
    const { code, output } = await runTollgate([], {
      ...second(),
      DATA_DIR: folder,
      PORT: String(await freePort()),
    })
    const { host, pathname } = new URL(databaseUrl)
    expect(output).toBe(
      `tollgate: Another Tollgate process is using the PostgreSQL database at ${host}${pathname}.\n`,
    )
    expect(code).toBe(1)
    expect((await fetch(`${first.url}/readyz`)).status).toBe(200)
  })

  it('change over when the first is stopped while the second starts', async () => {
    const starting = startTollgate({ env: second(), dataDir: folder })
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
    const next = await startTollgate({ env: second(), dataDir: folder })
    proxy.resume()
    await until(() => (first.logs().includes('has taken') ? true : undefined), 20_000)
    expect(await first.kill()).toBe(1)
    expect(first.logs()).toContain('tollgate: Another Tollgate process has taken the PostgreSQL database at ')
    expect((await fetch(`${next.url}/readyz`)).status).toBe(200)
    await next.kill()
  })
})
