import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { execFileSync } from 'node:child_process'
import {
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SQL } from 'bun'
import { deadline } from '../../../../scripts/deadline/deadline.mjs'
import { expireRecentProofs } from '../../../support/expire-recent-proofs.ts'
import { chargedCalls } from '../../../support/fleet.ts'
import { loadCalls } from '../../../support/load.ts'
import { gateStatement, type Withheld } from '../../../support/network/statement-gate.ts'
import { logIn, type Operator, operate, rootAccount } from '../../../support/operator.ts'
import { hasPostgres, type Postgres, startPostgres } from '../../../support/postgres.ts'
import { programCommand } from '../../../support/program.ts'
import { type CommandResult, runTollgate, startTollgate, type Tollgate } from '../../../support/server.ts'
import { respond } from '../../../support/upstream/behaviours.ts'
import { startUpstream, type Upstream } from '../../../support/upstream/upstream.ts'

setDefaultTimeout(deadline(90_000))

/** User as whom no service of this machine runs. */
const nobody = 65_534
type Held = [statements: readonly string[], withheld: Withheld]
const quiet = { GLOBAL_API_RATE_LIMIT_ENABLE: 'false', CRITICAL_RATE_LIMIT: '100000' }
const balanced = [0, expect.stringContaining('Everything adds up.')]

describe.skipIf(!hasPostgres())('an installation that moves', () => {
  let postgres: Postgres
  let upstream: Upstream
  let folder: string
  let gateway: Tollgate
  let operator: Operator
  let key: string
  let databaseUrl: string
  let fleetUrl: string
  /** Request ids of every call that was delivered, wherever. */
  const served: string[] = []

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tollgate-move-'))
    postgres = await startPostgres()
    databaseUrl = await postgres.createDatabase()
    upstream = await startUpstream()
    // The load leaves the processor to the move.
    upstream.otherwise(respond({ delayMs: 20, usage: { promptTokens: 20, completionTokens: 10 } }))
    makeFolder('file')
    gateway = await startTollgate({ dataDir: at('file'), env: quiet })
    operator = await operate(gateway.url)
    await operator.addChannel({ name: 'only', base_url: upstream.url, models: 'gpt-4o' })
    key = (await operator.addKey()).key
    await operator.option('SystemName', 'Ours')
  })
  afterAll(async () => {
    await gateway?.stop()
    await upstream?.stop()
    await postgres?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const at = (name: string) => join(folder, name)
  /** One of a service user, where the suite may make it. */
  function makeFolder(name: string): void {
    mkdirSync(at(name))
    if (process.getuid?.() === 0) chownSync(at(name), nobody, nobody)
  }
  /** Lists the files that a command of root did not give to the folder's owner. */
  const strangersIn = (name: string) =>
    readdirSync(at(name), { recursive: true })
      .map(String)
      .filter((path) => lstatSync(join(at(name), path)).uid !== lstatSync(at(name)).uid)
  const inFolder = (name: string, ...args: readonly string[]) =>
    runTollgate(args, { DATA_DIR: at(name), ...quiet })
  const withServer = (name: string, url: string, ...args: readonly string[]) =>
    runTollgate(args, { DATA_DIR: at(name), DATABASE_URL: url, PORT: '0', HOST: '127.0.0.1', ...quiet })
  const called = async (ms: number) => {
    const load = loadCalls(gateway.url, key, 4)
    await Bun.sleep(ms)
    return load
  }
  const oneLine = (output: string) => output.trim().split('\n').length === 1

  /** Session, key and charges are as they were; a new row gets an id that none had. */
  async function holds(): Promise<void> {
    const again = operator.at(gateway.url)
    expect((await again.call('GET', '/api/user/self')).success).toBe(true)
    expect((await again.api<{ system_name: string }>('GET', '/api/status')).system_name).toBe('Ours')
    const charged = await chargedCalls(again)
    expect(served.filter((id) => charged.get(id)?.length !== 1)).toEqual([])
    const load = await called(300)
    await load.end()
    expect(load.failures).toEqual([])
    served.push(...load.served)
    const made = await again.addKey({ name: `made at ${gateway.url}` })
    newestKey += 1
    expect(made.id).toBe(newestKey)
    await logIn(gateway.url, rootAccount)
  }
  let newestKey = 1

  it('is refused by a start with DATABASE_URL, in one line that names the command', async () => {
    const load = await called(600)
    await gateway.kill('SIGKILL')
    await load.end()
    served.push(...load.served)
    expect(served.length).toBeGreaterThan(10)
    const { code, output } = await withServer('file', databaseUrl)
    expect([code, output]).toEqual([1, expect.stringContaining('tollgate move --to "$DATABASE_URL"')])
    expect(oneLine(output)).toBe(true)
    const foreign = await inFolder('none', 'move', '--to', databaseUrl)
    expect([foreign.code, foreign.output]).toEqual([1, expect.stringContaining('There is no database')])
  })

  /** Kills a move when one of its statements does not arrive at the server, or the response to it does not come back. */
  async function killMove(name: string, url: string, to: string, ...held: Held): Promise<void> {
    const gate = await gateStatement(url, ...held)
    const isServer = to === url
    const child = Bun.spawn(programCommand(['move', '--to', isServer ? gate.url : to]), {
      env: {
        PATH: process.env['PATH'] ?? '',
        DATA_DIR: at(name),
        ...(!isServer && { DATABASE_URL: gate.url }),
      },
      stdout: 'ignore',
      stderr: 'ignore',
    })
    try {
      await Promise.race([gate.reached, child.exited.then(() => expect.unreachable('the move ended'))])
    } finally {
      child.kill('SIGKILL')
      await child.exited
      await gate.stop()
    }
  }
  const markerOf = (name: string) =>
    existsSync(at(`${name}/moved.json`)) ? JSON.parse(readFileSync(at(`${name}/moved.json`), 'utf8')) : {}
  /** A refusal in one line. */
  async function refuses(outcome: Promise<CommandResult>, text: string): Promise<void> {
    const { code, output } = await outcome
    expect([code, output]).toEqual([1, expect.stringContaining(text)])
    expect(oneLine(output)).toBe(true)
  }

  it('is as it was when the move is killed before its end, and the database is empty', async () => {
    const before = tablesOf(at('file/tollgate.db'))
    const target = await postgres.createDatabase()
    for (const statements of [['copy "users"'], ['txid_current()']]) {
      await killMove('file', target, target, statements, 'statement')
      expect([tablesOf(at('file/tollgate.db')), existsSync(at('file/moved.json'))]).toEqual([before, false])
      await refuses(withServer('file', target), 'has none: carry it over')
    }
  })

  it('is served from neither side before it is known which one has everything', async () => {
    const target = await postgres.createDatabase()
    await killMove('file', target, target, ['txid_current()', 'commit'], 'statement')
    expect(markerOf('file').state).toBe('leaving')
    const goOn = 'run tollgate move --to with its address again, which finishes it, or add --give-up'
    await refuses(inFolder('file'), goOn)
    await refuses(withServer('file', target), goOn)
    await refuses(inFolder('file', 'move', '--to', databaseUrl), 'name that one, or give it up first')
    const abandoned = await inFolder('file', 'move', '--to', target, '--give-up')
    expect([abandoned.code, abandoned.output]).toEqual([0, expect.stringContaining('as before')])
    await refuses(inFolder('file', 'move', '--to', target, '--give-up'), 'No move of')

    await killMove('file', target, target, ['txid_current()', 'commit'], 'response')
    await refuses(inFolder('file'), goOn)
    await refuses(inFolder('file', 'move', '--to', target, '--give-up'), 'has everything')
    const again = await inFolder('file', 'move', '--to', target)
    expect([again.code, again.output]).toEqual([0, expect.stringContaining('had brought everything')])
    expect(markerOf('file').state).toBe('moved')
    expect(await withServer('file', target, 'audit')).toEqual({
      code: 0,
      output: expect.stringContaining('adds'),
    })
    // Nothing was served there: the folder has all there is.
    rmSync(at('file/moved.json'))
  })

  it('has everything in PostgreSQL, with the calls that only its journal had', async () => {
    const audit = await inFolder('file', 'audit')
    expect([audit.code, audit.output]).toEqual([0, expect.stringContaining('wait in the journal')])
    const before = tablesOf(at('file/tollgate.db'))
    await killMove('file', databaseUrl, databaseUrl, ['txid_current()', 'commit'], 'statement')
    const moved = await inFolder('file', 'move', '--to', databaseUrl)
    expect([moved.code, moved.output]).toEqual([0, expect.stringContaining('settled calls of the journal')])
    expect(tablesOf(at('file/tollgate.db'))).toEqual(before)
    expect([existsSync(at('file/moved.json')), strangersIn('file')]).toEqual([true, []])
    const after = await withServer('file', databaseUrl, 'audit')
    expect([after.code, after.output]).toEqual(balanced)
    expect(after.output).not.toContain('wait in the journal')
    gateway = await startTollgate({ dataDir: at('file'), env: { DATABASE_URL: databaseUrl, ...quiet } })
    await holds()
  })

  it('is not served from the file any more, nor moved there again', async () => {
    await gateway.kill()
    const again = ['move', '--to', await postgres.createDatabase()]
    for (const args of [[], ['reset-root'], ['backup', at('stale.tar')], again]) {
      const { code, output } = await inFolder('file', ...args)
      expect([code, output]).toEqual([1, expect.stringContaining('was moved to the PostgreSQL database at')])
      expect(oneLine(output)).toBe(true)
    }
  })

  it('goes back into one file, which a node that runs refuses', async () => {
    await gateway.start()
    makeFolder('back')
    const busy = await withServer('file', databaseUrl, 'move', '--to', at('back'))
    expect([busy.code, busy.output]).toEqual([1, expect.stringContaining('stop every node first')])
    const load = await called(300)
    await gateway.kill('SIGKILL')
    await load.end()
    served.push(...load.served)
    const taken = await withServer('file', databaseUrl, 'move', '--to', at('file'))
    expect([taken.code, taken.output]).toEqual([1, expect.stringContaining('--force puts it aside')])
    await using sql = new SQL(databaseUrl, { max: 1 })
    await sql.unsafe(`insert into nodes (id, version, address, started_ms, seen_ms, draining, calls_per_second,
      journal_seq, journal_lag, reclaimed) values ('lost', '1', 'there', 0, 0, 0, 0, 9, 3, 1)`)
    const lost = await withServer('file', databaseUrl, 'move', '--to', at('back'))
    expect([lost.code, lost.output]).toEqual([
      1,
      expect.stringContaining('Node lost did not end in good order'),
    ])
    expect(existsSync(at('back/tollgate.db'))).toBe(false)
    await sql.unsafe('delete from nodes')
    await killMove('file', databaseUrl, at('back'), ['declare copied'], 'statement')
    expect(existsSync(at('back/tollgate.db'))).toBe(false)
    for (const held of [['insert into moves'], ['insert into moves', 'commit']]) {
      await killMove('file', databaseUrl, at('back'), held, 'statement')
      expect(markerOf('back')).toMatchObject({ state: 'arriving', from: 'server' })
      await refuses(inFolder('back'), `run tollgate move --to ${at('back')}, with DATABASE_URL of`)
      const { code } = await withServer('file', databaseUrl, 'backup', at('still.tar'), '--force')
      expect(code).toBe(0)
    }
    await killMove('file', databaseUrl, at('back'), ['insert into moves', 'commit'], 'response')
    await refuses(inFolder('back'), `run tollgate move --to ${at('back')}, with DATABASE_URL of`)
    await refuses(withServer('file', databaseUrl), `was moved to ${at('back')}`)
    const moved = await withServer('file', databaseUrl, 'move', '--to', at('back'))
    expect([moved.code, moved.output]).toEqual([0, expect.stringContaining('had brought everything')])
    expect(existsSync(at('back/moved.json'))).toBe(false)
    expect([existsSync(at('back/secret.key')), strangersIn('back')]).toEqual([true, []])
    const audit = await inFolder('back', 'audit')
    expect([audit.code, audit.output]).toEqual(balanced)
    gateway = await startTollgate({ dataDir: at('back'), env: quiet })
    await holds()
    const stale = await withServer('file', databaseUrl)
    expect([stale.code, stale.output]).toEqual([1, expect.stringContaining(`was moved to ${at('back')}`)])
    expect(oneLine(stale.output)).toBe(true)
  })

  it('comes out of either backup into either database', async () => {
    await gateway.run('backup', at('file.tar'), '--with-secret')
    await gateway.kill()
    fleetUrl = await postgres.createDatabase()
    const restored = await withServer('fleet', fleetUrl, 'restore', at('file.tar'))
    expect([restored.code, restored.output]).toEqual([0, expect.stringContaining('is as of')])
    gateway = await startTollgate({ dataDir: at('fleet'), env: { DATABASE_URL: fleetUrl, ...quiet } })
    await holds()

    await downloads('from-server')
    const made = await gateway.run('backup', at('fleet.tar'), '--with-database', '--with-secret')
    expect([made.code, made.output]).toEqual([0, expect.stringContaining('has the database and')])
    const calls = await gateway.run('backup', at('node.tar'))
    expect(calls.output).toContain('Now dump the database')
    await gateway.kill()
    const aside = await inFolder('file', 'restore', at('file.tar'), '--force')
    expect([aside.code, existsSync(at('file/moved.json'))]).toEqual([0, false])
    expect((await inFolder('again', 'restore', at('fleet.tar'))).code).toBe(0)
    const node = await inFolder('again', 'restore', at('node.tar'))
    expect([node.code, node.output]).toEqual([0, expect.stringContaining('settled calls')])
    expect(await inFolder('again', 'audit')).toEqual({ code: 0, output: expect.stringContaining('adds up') })
  })

  it('becomes a file of the folder that its last node had', async () => {
    const moved = await withServer('fleet', fleetUrl, 'move', '--to', at('fleet'))
    expect([moved.code, moved.output]).toEqual([0, expect.stringContaining('Start it without DATABASE_URL')])
    gateway = await startTollgate({ dataDir: at('fleet'), env: quiet })
    await holds()
  })

  it('is told when one file is outgrown, by doctor and to the super administrator', async () => {
    await gateway.kill()
    using database = new Database(at('fleet/tollgate.db'))
    database.run(
      `insert into logs select id + 20000000, ${columnsOf(database, 'logs')} from logs order by id desc limit 1`,
    )
    database.close()
    await gateway.start()
    expect((await gateway.run('doctor')).output).toMatch(/^warn +database size: .* tollgate move --to/m)
    const overview = await operator
      .at(gateway.url)
      .api<{ outgrown: { log_rows: number } | null }>('GET', '/api/user/self/overview')
    expect(overview.outgrown?.log_rows).toBeGreaterThan(20_000_000)
  })

  it('leaves with everything in open formats, with keys in clear where that was asked for', async () => {
    const plain = await gateway.run('export', at('plain'))
    expect([plain.code, plain.output]).toEqual([0, expect.stringContaining('It has no secrets')])
    const whole = await gateway.run('export', at('whole'), '--with-keys')
    expect([whole.code, whole.output]).toEqual([0, expect.stringContaining('in clear')])
    const about = JSON.parse(readFileSync(at('whole/about.json'), 'utf8'))
    expect(about).toMatchObject({ product: 'Tollgate', withSecrets: true, quotaPerUnit: 500_000 })
    for (const { name, rows } of about.files)
      expect([name, linesOf('whole', name).length]).toEqual([name, rows])
    const ids = new Set(linesOf('whole', 'log.jsonl').map((line) => line['request_id']))
    expect(served.filter((id) => !ids.has(id))).toEqual([])

    expect(linesOf('whole', 'keys.jsonl').map((line) => `sk-${line['key']}`)).toContain(key)
    expect(linesOf('whole', 'channels.jsonl')[0]?.['keys']).toContain('sk-upstream-secret-0001')
    for (const name of ['keys', 'channels', 'users', 'options'])
      expect(readFileSync(at(`plain/${name}.jsonl`), 'utf8')).not.toMatch(/sk-upstream|_sealed|v2\.|argon2/)
    expect(readFileSync(at('plain/keys.jsonl'), 'utf8')).not.toContain(key.slice(3))

    const ledger = linesOf('plain', 'ledger.jsonl').filter((line) => line['account_kind'] === 'user')
    const charges = linesOf('plain', 'charges.jsonl').filter((line) => line['account_kind'] === 'user')
    const root = linesOf('plain', 'users.jsonl').find((line) => line['username'] === 'root')
    expect(sumOf(ledger) - sumOf(charges)).toBe(root?.['quota'] as number)

    const again = await gateway.run('export', at('plain'))
    expect([again.code, again.output]).toEqual([1, expect.stringContaining('is there already')])
    expect(existsSync(at('plain.partial'))).toBe(false)
    const { items } = await operator
      .at(gateway.url)
      .api<{ items: { action: string; actor_name: string }[] }>('GET', '/api/audit_log/?p=1&page_size=10')
    const exports = items.filter(({ action }) => action === 'gateway.export')
    expect(exports.filter(({ actor_name }) => actor_name === 'shell')).toHaveLength(1)
  })

  it('leaves through the console, for its super administrator after a recent proof', async () => {
    await downloads('from-file')
    expect(readFileSync(at('from-file/log.jsonl'), 'utf8')).toBe(readFileSync(at('whole/log.jsonl'), 'utf8'))
    const refused = async (headers: Record<string, string>) => (await download(headers)).status
    expect(await refused({})).toBe(401)
    const { cookie } = operator
    expect(await refused({ cookie, 'sec-fetch-site': 'cross-site' })).toBe(403)
    const again = operator.at(gateway.url)
    const authorization = `Bearer ${await again.api<string>('POST', '/api/user/token', {})}`
    expect(await refused({ authorization, 'new-api-user': String(again.userId) })).toBe(403)
    await expireRecentProofs(gateway)
    expect(await refused({ cookie })).toBe(403)
  })

  const download = (headers: Record<string, string>) =>
    fetch(`${gateway.url}/api/installation/export?with_keys=true`, { headers })

  /** Downloads an export as a browser does, and proves it by its own checksums. */
  async function downloads(name: string): Promise<void> {
    const response = await download({ cookie: operator.cookie })
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip'])
    mkdirSync(at(name))
    writeFileSync(at(`${name}/export.zip`), await response.bytes())
    execFileSync('python3', ['-m', 'zipfile', '-e', 'export.zip', '.'], { cwd: at(name) })
    for (const line of readFileSync(at(`${name}/SHA256SUMS`), 'utf8')
      .trim()
      .split('\n')) {
      const [sum, file] = line.split('  ')
      expect([file, Bun.SHA256.hash(readFileSync(at(`${name}/${file}`)), 'hex')]).toEqual([file, sum])
    }
    expect(linesOf(name, 'keys.jsonl').map((line) => `sk-${line['key']}`)).toContain(key)
    const ids = new Set(linesOf(name, 'log.jsonl').map((line) => line['request_id']))
    expect(served.filter((id) => !ids.has(id))).toEqual([])
    const { items } = await operator
      .at(gateway.url)
      .api<{ items: { action: string; actor_name: string }[] }>('GET', '/api/audit_log/?p=1&page_size=10')
    expect(items[0]).toMatchObject({ action: 'gateway.export', actor_name: 'root' })
  }

  const linesOf = (folderName: string, name: string): Record<string, unknown>[] =>
    readFileSync(at(`${folderName}/${name}`), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))
})

function sumOf(lines: readonly Record<string, unknown>[]): number {
  return lines.reduce((sum, line) => sum + Number(line['amount']), 0)
}

function columnsOf(database: Database, table: string): string {
  const columns = database
    .query<{ name: string }, []>(`select name from pragma_table_info('${table}') where name <> 'id'`)
    .all()
  return columns.map(({ name }) => `"${name}"`).join(', ')
}

/** Every row of every table. */
function tablesOf(file: string): unknown {
  using database = new Database(file, { readonly: true })
  const names = database
    .query<{ name: string }, []>(`select name from sqlite_schema where type = 'table' order by name`)
    .all()
  return names.map(({ name }) => [name, database.query(`select * from "${name}"`).all()])
}
