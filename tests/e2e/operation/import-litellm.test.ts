import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { changedTables, contentsOf } from '../../support/console/database-contents.ts'
import { withDatabase } from '../../support/console/people.ts'
import { callWith, linesOf } from '../../support/imports/imported.ts'
import {
  hasLiteLlm,
  liteLlmConfig,
  liteLlmKeys,
  liteLlmRows,
  migrateLiteLlm,
  writeLiteLlm,
} from '../../support/imports/litellm.ts'
import { hasPostgres, type Postgres, startPostgres } from '../../support/postgres.ts'
import { type CommandResult, runTollgate, startTollgate, type Tollgate } from '../../support/server.ts'
import { respond } from '../../support/upstream/behaviours.ts'
import { startUpstream, type Upstream } from '../../support/upstream/upstream.ts'

setDefaultTimeout(deadline(60_000))

describe.skipIf(!hasPostgres() || !hasLiteLlm())('import of LiteLLM', () => {
  let postgres: Postgres
  let upstream: Upstream
  let gateway: Tollgate
  let folder: string
  let source: string
  let config: string
  let report: CommandResult

  const dataDir = () => join(folder, 'data')
  // Times there are of UTC, wherever this machine is.
  const env = () => ({
    DATA_DIR: dataDir(),
    UPSTREAM_KEY: 'sk-up',
    TZ: 'Asia/Shanghai',
    LITELLM_SALT_KEY: 'salt-key-of-a-test',
  })
  const run = (...more: readonly string[]) =>
    runTollgate(['import', '--from', 'litellm', config, source, ...more], env())

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tollgate-litellm-'))
    upstream = await startUpstream()
    upstream.otherwise(respond({ usage: { promptTokens: 20, completionTokens: 10 } }))
    postgres = await startPostgres()
    source = await postgres.createDatabase()
    config = join(folder, 'config.yaml')
    writeFileSync(config, liteLlmConfig(upstream.url))
    await migrateLiteLlm(source)
    await writeLiteLlm(source, liteLlmRows(upstream.url))
  })
  afterAll(async () => {
    await gateway?.stop()
    await upstream?.stop()
    await postgres?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it('says what it takes, changes and leaves out; nothing is dropped in silence', async () => {
    const dry = await run()
    expect(dry.output).toContain('Nothing was written')
    report = await run('--apply')
    expect(report).toMatchObject({ code: 0 })
    expect(report.output).not.toContain('DIFFERENT')
    expect(linesOf(report, 'channels')).toEqual([
      'channels: 4 read, 3 taken (1 changed), 1 left out',
      'changed 1: disabled here until it is mended (azure away.example: NOT_SET is not set in the environment)',
      'left out 1: its provider is not known here (odd: sagemaker/odd)',
    ])
    const users = linesOf(report, 'users').join('\n')
    expect(users).toContain('users: 4 read, 4 taken')
    expect(users).toContain(
      'no budget there: a balance of $1000 here (--unlimited-balance) (default_user_id, litellm)',
    )
    expect(users).toContain('a team is no account there')
    const keys = linesOf(report, 'keys').join('\n')
    expect(keys).toContain("it is a session of LiteLLM's console (session)")
    expect(keys).toContain('its budget begins anew at intervals there')
    for (const line of [
      'LiteLLM_OrganizationTable: 1 read, not taken: organisations have no place here yet',
      'LiteLLM_TeamTable: 2 read, not taken: teams have no place here yet',
      'config litellm_settings: 1 read, not taken',
    ])
      expect(report.output).toContain(line)
    // Twice half a unit: 1.234567 and 0.034567 dollars.
    expect(report.output).toContain(
      'rounding: 16 amounts in dollars became whole units of quota; the differences come to 1\n',
    )
  })

  it('turns dollars into quota, once each, half up', () => {
    const accounts = withDatabase(dataDir(), (database) =>
      database
        .query(
          'select username, role, quota, used_quota, request_count, requests_per_minute from users join user_accounts using (id) order by username',
        )
        .values(),
    )
    expect(accounts).toEqual([
      ['Research', 1, 9_850_000, 150_000, 1, 0],
      // 10.5 and 1.234567 dollars: 617,283.5 units are 617,284.
      ['alice', 1, 5_250_000 - 617_284, 617_284, 10, 600],
      ['default_user_id', 10, 500_000_000, 0, 0, 0],
      ['litellm', 1, 500_000_000, 50_000, 0, 0],
    ])
    const limited = withDatabase(dataDir(), (database) =>
      database
        .query(
          `select remain_quota, used_quota, unlimited_quota, model_limits, requests_per_minute
            from tokens join token_accounts using (id) where name = 'limited'`,
        )
        .values(),
    )
    expect(limited).toEqual([[1_250_000 - 17_284, 17_284, 0, '["fast"]', 60]])
    const hours = withDatabase(dataDir(), (database) =>
      database.query('select hour, type, count, quota from imported_usage order by hour, type').values(),
    )
    const nine = Date.UTC(2026, 4, 1, 9) / 1000
    expect(hours).toEqual([
      [nine, 2, 5, 300_000],
      [nine + 3600, 2, 5, 300_000],
      [nine + 7200, 2, 1, 150_000],
      [nine + 7200, 5, 1, 0],
    ])
  })

  it('changes nothing the second time, and the audit agrees', async () => {
    const before = contentsOf(dataDir())
    expect(await run('--apply')).toMatchObject({ code: 0 })
    expect(changedTables(before, contentsOf(dataDir()))).toEqual([])
    expect(await runTollgate(['audit'], env())).toMatchObject({ code: 0 })
  })

  it('serves keys of which only a hash was known, at once and after a restart', async () => {
    gateway = await startTollgate({
      dataDir: dataDir(),
      env: { TOLLGATE_ROOT_PASSWORD: 'a root of this gateway' },
    })
    const { alice, limited, team, nobody, blocked, expired, session } = liteLlmKeys
    for (const key of [alice, limited, team, nobody])
      expect([key, await callWith(gateway.url, key, 'fast')]).toEqual([key, 200])
    expect(await callWith(gateway.url, alice, 'stored')).toBe(200)
    expect(upstream.calls.at(-1)).toMatchObject({
      model: 'gpt-4o-mini',
      headers: { authorization: 'Bearer sk-stored-secret' },
    })
    expect(await callWith(gateway.url, limited, 'stored')).toBe(403)
    expect(await callWith(gateway.url, team, 'stored')).toBe(403)
    for (const key of [blocked, expired, session, `${alice}x`, alice.slice(0, 5)])
      expect([key, await callWith(gateway.url, key, 'fast')]).toEqual([key, 401])
    await gateway.restart('SIGKILL')
    for (const key of [alice, limited]) expect(await callWith(gateway.url, key, 'fast')).toBe(200)
    const hashes = withDatabase(dataDir(), (database) =>
      database.query("select name from tokens where key_hash like 'sha256:%' order by name").values(),
    )
    expect(hashes).toEqual([])
    expect(await gateway.run('audit')).toMatchObject({ code: 0 })
  })

  it('says in one line what it cannot read', async () => {
    await gateway.kill()
    const refusal = async (...args: readonly string[]) => {
      const { code, output } = await runTollgate(['import', '--from', 'litellm', ...args], env())
      expect(code).toBe(1)
      expect(output.trimEnd().split('\n')).toHaveLength(1)
      return output
    }
    const broken = join(folder, 'broken.yaml')
    writeFileSync(broken, 'model_list: [1, 2')
    expect(await refusal(broken)).toContain('is no YAML file')
    writeFileSync(broken, 'model_list: {a: 1}')
    expect(await refusal(broken)).toContain('is no config.yaml of LiteLLM')
    expect(await refusal(join(folder, 'missing.yaml'))).toContain('There is no file')
    expect(await refusal(await postgres.createDatabase())).toContain('is no database of LiteLLM')
    expect(await refusal(source, '--unlimited-balance', 'much')).toContain('is a number of dollars')
    expect(await refusal(source, source)).toContain('one config.yaml and one PostgreSQL database')
  })
})
