import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Secret, TOTP } from 'otpauth'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { addUser, userPassword } from '../../support/add-user.ts'
import { changedTables, contentsOf } from '../../support/console/database-contents.ts'
import { callWith, linesOf } from '../../support/imports/imported.ts'
import { killedOnce, takenRows } from '../../support/imports/killed.ts'
import { type LogRow, type Operator, operate } from '../../support/operator.ts'
import { hasPostgres, type Postgres, startPostgres } from '../../support/postgres.ts'
import { openBeside } from '../../support/processes/open-beside.ts'
import { type CommandResult, runTollgate, startTollgate, type Tollgate } from '../../support/server.ts'
import { type SunoUpstream, startSunoUpstream, sunoToken } from '../../support/tasks/suno.ts'
import { until } from '../../support/until.ts'
import { respond } from '../../support/upstream/behaviours.ts'
import { startUpstream, type Upstream } from '../../support/upstream/upstream.ts'

setDefaultTimeout(deadline(60_000))

let upstream: Upstream
let suno: SunoUpstream
let postgres: Postgres | undefined
let folder: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-two-'))
  upstream = await startUpstream()
  upstream.otherwise(respond({ usage: { promptTokens: 100, completionTokens: 50 } }))
  suno = await startSunoUpstream()
  if (hasPostgres()) postgres = await startPostgres()
})
afterAll(async () => {
  await upstream?.stop()
  await suno?.stop()
  await postgres?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const prices = {
  ModelRatio: '{"own-model":2,"shared-model":3}',
  CompletionRatio: '{"own-model":4,"shared-model":2}',
  ModelPrice: '{"suno_music":0.5}',
  GroupRatio: '{"default":1,"team":0.5}',
  UserUsableGroups: '{"default":"all","team":"the team"}',
}

/** Belongings of people at the other installation. */
interface World {
  readonly key: string
  readonly limited: string
  readonly teamKey: string
  readonly code: string
  readonly totp: TOTP
  readonly task: string
  readonly self: Self
}

interface Self {
  readonly quota: number
  readonly used_quota: number
  readonly request_count: number
}

const selfOf = async (user: Operator): Promise<Self> => {
  const { quota, used_quota, request_count } = await user.api<Self>('GET', '/api/user/self')
  return { quota, used_quota, request_count }
}

/** Lives in an installation: people, keys, prices, calls, a code, and a song that is under way. */
async function live(gateway: Tollgate): Promise<World> {
  const root = await operate(gateway.url)
  for (const [key, value] of Object.entries(prices)) await root.option(key, value)
  await root.addChannel({
    name: 'main',
    base_url: upstream.url,
    models: 'own-model,shared-model',
    group: 'default,team',
    key: 'sk-first-upstream-key\nsk-second-upstream-key',
    model_mapping: '{"own-model":"gpt-4o-mini"}',
    priority: 7,
  })
  await root.addChannel({ name: 'songs', type: 36, base_url: suno.url, models: 'suno_music', key: sunoToken })
  const anna = await addUser(gateway, 'anna', 5_000_000)
  const { key } = await anna.addKey({ name: 'plain' })
  const { key: limited } = await anna.addKey({
    name: 'limited',
    unlimited_quota: false,
    remain_quota: 1_000_000,
    model_limits_enabled: true,
    model_limits: 'own-model',
  })
  const { key: teamKey } = await anna.addKey({ name: 'team', group: 'team' })
  for (const one of [key, limited, teamKey]) expect(await callWith(gateway.url, one, 'own-model')).toBe(200)
  const [code = ''] = await root.api<string[]>('POST', '/api/redemption/', {
    name: 'gift',
    quota: 7000,
    count: 1,
  })
  const setup = await anna.api<{ secret: string }>('POST', '/api/user/self/2fa/begin', {})
  const totp = new TOTP({ secret: Secret.fromBase32(setup.secret) })
  await anna.api('POST', '/api/user/self/2fa/confirm', { code: totp.generate() })
  const song = await fetch(`${gateway.url}/suno/submit/music`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: '{"prompt":"Hi"}',
  })
  const { data: task } = (await song.json()) as { data: string }
  await until(async () => ((await root.consumed()) >= 3 ? true : undefined))
  const self = await selfOf(anna)
  return { key, limited, teamKey, code, totp, task, self }
}

/** Adds people who have what the first person has, under names of their own. */
function multiplyPeople(file: string, count: number): void {
  using database = new Database(file)
  database.transaction(() => {
    for (const table of ['users', 'user_accounts'])
      database.run(`create temp table one_${table} as select * from ${table} where id = 1`)
    database.run(`update one_users set role = 1, admin_parts = ''`)
    for (let index = 1; index <= count; index += 1) {
      const id = 1000 + index
      database.run(`update one_users set id = ${id}, username = 'person${index}', aff_code = 'code${index}'`)
      database.run(`update one_user_accounts set id = ${id}, quota = ${index * 1001}, used_quota = ${index}`)
      for (const table of ['users', 'user_accounts'])
        database.run(`insert into ${table} select * from one_${table}`)
    }
  })()
}

const pairs: readonly (readonly [string, string])[] = hasPostgres()
  ? [
      ['SQLite', 'PostgreSQL'],
      ['PostgreSQL', 'SQLite'],
    ]
  : [['SQLite', 'SQLite']]

for (const [from, to] of pairs)
  describe(`a Tollgate on ${from} into one on ${to} that is in use`, () => {
    let other: Tollgate
    let gateway: Tollgate
    let world: World
    let address: string
    let env: Record<string, string>
    let reports: readonly [CommandResult, CommandResult, CommandResult]
    let sourceDir: string
    let targetDir: string
    const run = (...more: readonly string[]) =>
      runTollgate(['import', '--from', 'tollgate', address, ...more], { ...env, DATA_DIR: targetDir })
    const secret = () => ['--source-secret', join(sourceDir, 'secret.key')]
    const databaseOf = async (kind: string): Promise<Record<string, string>> =>
      kind === 'PostgreSQL' ? { DATABASE_URL: (await postgres?.createDatabase()) ?? '' } : {}

    beforeAll(async () => {
      sourceDir = mkdtempSync(join(folder, 'source-'))
      targetDir = mkdtempSync(join(folder, 'target-'))
      const sourceEnv = await databaseOf(from)
      env = await databaseOf(to)
      address = sourceEnv['DATABASE_URL'] ?? sourceDir
      other = await startTollgate({ dataDir: sourceDir, env: sourceEnv })
      world = await live(other)
      await other.kill()
      gateway = await startTollgate({ dataDir: targetDir, env: { ...env, TASK_POLL_SECONDS: '1' } })
      const root = await operate(gateway.url)
      await root.option('ModelRatio', '{"shared-model":9}')
      await root.option('GroupRatio', '{"default":1,"gold":2}')
      await addUser(gateway, 'anna', 11)
      await gateway.kill()
      const before = from === 'SQLite' ? contentsOf(sourceDir) : undefined
      const more = from === 'SQLite' ? [] : secret()
      reports = [
        await run(...more),
        await run(...more, '--apply', '--confirm'),
        await run(...more, '--apply'),
      ]
      if (before !== undefined) expect(changedTables(before, contentsOf(sourceDir))).toEqual([])
      await gateway.start()
    })
    afterAll(async () => {
      await other?.stop()
      await gateway?.stop()
    })

    it('reports sums that are equal, and takes nothing twice', () => {
      const [dry, applied, again] = reports
      for (const { code, output } of reports)
        expect({ code, output }).toEqual({ code: 0, output: expect.not.stringContaining('DIFFERENT') })
      expect(dry.output).toContain('Nothing was written: --apply does it.')
      expect(linesOf(applied, 'users').join('\n')).toContain(
        'the name is taken here (root is root-2, anna is anna-2)',
      )
      for (const [table, count] of [
        ['users', 2],
        ['keys', 3],
        ['channels', 2],
        ['redemption codes', 1],
        ['tasks', 1],
      ] as const)
        expect(linesOf(again, table)[0]).toContain(`${table}: ${count} read, 0 taken, ${count} taken before`)
    })

    it('names every price that is otherwise here, with both figures', () => {
      const [, applied] = reports
      const options = linesOf(applied, 'options')
      expect(options).toContain('charged otherwise: ModelRatio shared-model: 3 there, 9 here')
      expect(options).toContain('charged otherwise: CompletionRatio shared-model: 2 there, none here')
      expect(options.join('\n')).not.toContain('own-model')
    })

    it('names what stays there, by table and count', () => {
      const [, applied] = reports
      expect(applied.output).toContain('sessions: ')
      expect(applied.output).toMatch(/recovery_codes: \d+ read, not taken: /)
      expect(applied.output).not.toContain('this gateway does not know')
    })

    it('lets its people in with password and second factor, to the same balance', async () => {
      const post = async (path: string, body: object, cookie = '') =>
        await fetch(gateway.url + path, {
          method: 'POST',
          headers: { cookie },
          body: JSON.stringify(body),
        })
      const login = await post('/api/user/login', { username: 'anna-2', password: userPassword })
      expect(await login.json()).toMatchObject({ success: true, data: { require_2fa: true } })
      const cookie = (login.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
      // The step of the code that confirmed it is used up.
      const code = world.totp.generate({ timestamp: Date.now() + 30_000 })
      const opened = await post('/api/user/login/2fa', { code }, cookie)
      expect(await opened.json()).toMatchObject({ success: true, data: { username: 'anna-2' } })
    })

    it('serves its keys through its channels at its prices', async () => {
      const root = await operate(gateway.url)
      const users = await root.api<{ items: (Self & { username: string })[] }>(
        'GET',
        '/api/user/search?keyword=anna-2',
      )
      const [anna] = users.items
      expect({ ...anna }).toMatchObject(world.self)
      for (const key of [world.key, world.limited, world.teamKey])
        expect(await callWith(gateway.url, key, 'own-model')).toBe(200)
      expect(upstream.calls.at(-1)).toMatchObject({ model: 'gpt-4o-mini' })
      expect(await callWith(gateway.url, world.limited, 'shared-model')).toBe(403)
    })

    it('finishes a song that was under way there, and charges it', async () => {
      suno.tell(world.task, { action: 'MUSIC', status: 'SUCCESS', data: [{ id: 'clip' }] })
      const ended = await until(async () => {
        const reply = await fetch(`${gateway.url}/suno/fetch/${world.task}`, {
          headers: { authorization: `Bearer ${world.key}` },
        })
        const { data } = (await reply.json()) as { data: { status: string } }
        return data.status === 'SUCCESS' ? data : undefined
      }, 20_000)
      expect(ended.status).toBe('SUCCESS')
    })

    it('leaves an audit that adds up', async () => {
      await gateway.kill()
      expect(await gateway.run('audit')).toMatchObject({ code: 0 })
    })
  })

describe('another Tollgate', () => {
  let other: Tollgate
  let sourceDir: string
  let target: string
  let key: string
  const run = (address: string, ...more: readonly string[]) =>
    runTollgate(['import', '--from', 'tollgate', address, ...more], { DATA_DIR: target })
  const refusal = async (address: string, ...more: readonly string[]) => {
    const { code, output } = await run(address, ...more)
    expect({ code, lines: output.trimEnd().split('\n').length }).toEqual({ code: 1, lines: 1 })
    return output
  }
  const copied = (change?: string) => {
    const file = join(mkdtempSync(join(folder, 'copy-')), 'copy.db')
    using database = openBeside(sourceDir)
    database.run('vacuum into ?', [file])
    if (change !== undefined) {
      using copy = new Database(file)
      copy.run(change)
    }
    return file
  }

  beforeAll(async () => {
    sourceDir = mkdtempSync(join(folder, 'other-'))
    target = mkdtempSync(join(folder, 'into-'))
    other = await startTollgate({ dataDir: sourceDir })
    const root = await operate(other.url)
    await root.option('ModelRatio', '{"own-model":2}')
    await root.addChannel({ name: 'main', base_url: upstream.url, models: 'own-model' })
    key = (await root.addKey()).key
    expect(await callWith(other.url, key, 'own-model')).toBe(200)
    await until(async () => ((await root.consumed()) >= 1 ? true : undefined))
  })
  afterAll(() => other?.stop())

  it('that runs is read for a dry run, and taken only once it is stopped', async () => {
    const dry = await run(sourceDir)
    expect(dry.output).toContain('its gateway runs, or did not end in good order')
    expect(await refusal(sourceDir, '--apply')).toBe(
      `tollgate: A gateway is using ${sourceDir}: stop it first, so that nothing is charged there afterwards.\n`,
    )
  })

  it('is taken from a backup, with the secret in it', async () => {
    const backup = join(folder, 'other.tar')
    expect(await other.run('backup', backup, '--with-secret')).toMatchObject({ code: 0 })
    const dry = await run(backup)
    expect(linesOf(dry, 'keys')[0]).toBe('keys: 1 read, 1 taken, 0 left out')
  })

  it('is refused while settled calls are missing in its database, by their number', async () => {
    await other.kill('SIGKILL')
    const before = copied()
    using database = openBeside(sourceDir)
    database.run('delete from journal_spans')
    database.run('update journal_positions set seq = 0')
    expect(await refusal(sourceDir, '--apply')).toMatch(
      /^tollgate: 1 settled calls wait in .*: start that gateway and stop it again, which writes them, then import\.\n$/,
    )
    database.run(`attach '${before}' as before`)
    for (const table of ['journal_spans', 'journal_positions']) {
      database.run(`delete from ${table}`)
      database.run(`insert into ${table} select * from before.${table}`)
    }
  })

  it('needs its own secret, from a file of any form', async () => {
    const alone = copied()
    expect(await refusal(alone)).toContain('give it with --source-secret FILE')
    expect(await refusal(alone, '--source-secret', 'x'.repeat(64))).toContain('is not that of ')
    const secret = readFileSync(join(sourceDir, 'secret.key'), 'utf8').trim()
    const environment = join(folder, 'tollgate.env')
    writeFileSync(environment, `# the service\nexport TOLLGATE_SECRET="${secret}"\n`)
    for (const argument of [environment, join(sourceDir, 'secret.key'), secret]) {
      const dry = await run(alone, '--source-secret', argument)
      expect(linesOf(dry, 'keys')[0]).toBe('keys: 1 read, 1 taken, 0 left out')
    }
  })

  it('is no copy of this one, and no newer one', async () => {
    const secret = ['--source-secret', join(sourceDir, 'secret.key')]
    const itself = await runTollgate(['import', '--from', 'tollgate', copied(), ...secret], {
      DATA_DIR: sourceDir,
    })
    expect(itself.code).toBe(1)
    expect(itself.output).toContain('is this installation itself, or a copy of it')
    const newer = copied(
      `insert into kysely_migration values ('9999-later', '2030-01-01T00:00:00Z');
       update database_identity set oldest_program = '9999-later'`,
    )
    expect(await refusal(newer, ...secret)).toContain('it has migration 9999-later')
    expect(await refusal(join(folder, 'nowhere'))).toContain('There is no file or folder ')
  })

  it('is continued after a kill by the same command, and nothing of it is taken twice', async () => {
    const people = 600
    const source = copied()
    multiplyPeople(source, people)
    const dataDir = mkdtempSync(join(folder, 'killed-'))
    const secret = join(sourceDir, 'secret.key')
    const args = ['import', '--from', 'tollgate', source, '--source-secret', secret, '--apply']
    const env = { DATA_DIR: dataDir }
    const taken: number[] = []
    for (const enough of [50, 500]) {
      await killedOnce(args, env, () => takenRows(dataDir) >= enough)
      taken.push(takenRows(dataDir))
      expect(await runTollgate(['audit'], env)).toMatchObject({ code: 0 })
    }
    expect(taken[0]).toBeGreaterThan(0)
    expect(taken[0]).toBeLessThan(2 * people)
    const last = await runTollgate(args, env)
    expect(last).toMatchObject({ code: 0 })
    expect(last.output).not.toContain('DIFFERENT')
    const after = contentsOf(dataDir)
    expect(JSON.parse(after.get('users') ?? '')).toHaveLength(people + 1)
    using here = new Database(join(dataDir, 'tollgate.db'), { readonly: true })
    using there = new Database(source, { readonly: true })
    const sums = 'select count(*) as n, sum(quota) as quota, sum(used_quota) as used from user_accounts'
    expect(here.query(sums).get()).toEqual(there.query(sums).get())
    expect(await runTollgate(['audit'], env)).toMatchObject({ code: 0 })
    await runTollgate(args, env)
    expect(changedTables(after, contentsOf(dataDir))).toEqual([])
  })

  it('gives an empty one everything at once, also its prices', async () => {
    expect((await run(sourceDir, '--apply')).output).not.toContain('charged otherwise')
    const gateway = await startTollgate({ dataDir: target })
    try {
      expect(await callWith(gateway.url, key, 'own-model')).toBe(200)
      const root = await operate(gateway.url)
      const rows = await root.api<{ items: LogRow[] }>('GET', '/api/log/?p=1&page_size=1&type=2')
      // 100 tokens in and 50 out, at a ratio of 2.
      expect(rows.items[0]?.quota).toBe(300)
      const records = await root.api<{ items: Record<string, unknown>[] }>(
        'GET',
        '/api/audit_log/?p=1&page_size=10&action=gateway.import',
      )
      expect(records.items).toHaveLength(1)
      expect(records.items[0]).toMatchObject({ actor_name: 'shell', target_kind: 'gateway' })
      const after = JSON.parse(String(records.items[0]?.['after'])) as { report: string[] }
      expect(after.report).toContain('keys: 1 read, 1 taken, 0 left out')
      expect(after.report.join('\n')).toMatch(/sessions: \d+ read, not taken: /)
    } finally {
      await gateway.stop()
    }
    expect(await runTollgate(['audit'], { DATA_DIR: target })).toMatchObject({ code: 0 })
  })
})
