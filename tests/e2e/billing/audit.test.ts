import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { operate } from '../../support/operator.ts'
import { hasPostgres, type Postgres, startPostgres } from '../../support/postgres.ts'
import { runTollgate, startTollgate, type Tollgate } from '../../support/server.ts'

setDefaultTimeout(deadline(60_000))

describe('tollgate audit', () => {
  let folder: string
  let gateway: Tollgate

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tollgate-audited-'))
    gateway = await startTollgate()
    await operate(gateway.url)
  })
  afterAll(async () => {
    await gateway?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it('fails in one line in a mistyped data directory, and makes nothing there', async () => {
    const mistyped = join(folder, 'dtaa')
    const missing = await runTollgate(['audit'], { DATA_DIR: mistyped })
    expect(missing).toEqual({ code: 1, output: `tollgate: There is no data directory ${mistyped}.\n` })
    expect(existsSync(mistyped)).toBe(false)
    const empty = await runTollgate(['audit'], { DATA_DIR: folder })
    expect(empty).toEqual({
      code: 1,
      output: `tollgate: There is no database ${join(folder, 'tollgate.db')}.\n`,
    })
    expect(readdirSync(folder)).toEqual([])
  })

  it('works beside a running gateway, after a kill and after a stop, and makes no file', async () => {
    const beside = await gateway.run('audit')
    expect(beside.output).toContain('The gateway is running')
    expect(beside.code).toBe(0)
    await gateway.kill('SIGKILL')
    await auditUnchanged()
    await gateway.start()
    await gateway.kill('SIGTERM')
    await auditUnchanged()
    await gateway.start()
  })

  async function auditUnchanged(): Promise<void> {
    const files = () => readdirSync(gateway.dataDir, { recursive: true, encoding: 'utf8' }).toSorted()
    const before = files()
    const audit = await gateway.run('audit')
    expect(audit.output).toContain('adds up')
    expect(audit.code).toBe(0)
    // A killed gateway's lock leaves a file of its own, which the next to look at the lock removes.
    expect(before).toEqual(expect.arrayContaining(files()))
  }
})

describe.skipIf(!hasPostgres())('tollgate audit over PostgreSQL', () => {
  let postgres: Postgres

  beforeAll(async () => {
    postgres = await startPostgres()
  })
  afterAll(() => postgres?.stop())

  it('fails in one line on an empty database, and makes no table in it', async () => {
    const env = { DATABASE_URL: await postgres.createDatabase(), DATA_DIR: tmpdir() }
    for (let round = 0; round < 2; round += 1)
      expect(await runTollgate(['audit'], env)).toEqual({
        code: 1,
        output: 'tollgate: The database has no tables of Tollgate.\n',
      })
  })
})
