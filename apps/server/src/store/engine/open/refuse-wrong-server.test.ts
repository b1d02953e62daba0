import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SQL } from 'bun'
import { deadline } from '../../../../../../scripts/deadline/deadline.mjs'
import { hasPostgres, type Postgres, startPostgres } from '../../../../../../tests/support/postgres.ts'
import { rejection } from '../../contract/rejection.ts'
import { newUser } from '../../contract/samples.ts'
import { openFileSource } from '../copy/file-source.ts'
import { fillServer } from '../copy/fill-server.ts'
import { databaseFile } from './database-file.ts'
import { writeMovedMarker } from './moved-marker.ts'
import { openStore } from './open-store.ts'

setDefaultTimeout(deadline(60_000))

const logger = { warn: (...words: unknown[]) => expect(words).toEqual([]) }

describe.skipIf(!hasPostgres())('a PostgreSQL database beside a file', () => {
  let postgres: Postgres
  let folder: string
  let made = 0

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tollgate-beside-'))
    postgres = await startPostgres()
  })
  afterAll(async () => {
    await postgres?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  function newFolder(): string {
    made += 1
    const dataDir = join(folder, String(made))
    mkdirSync(dataDir)
    return dataDir
  }

  /** A data folder with an installation in its file; returns its identity too. */
  async function installed(): Promise<{ dataDir: string; database: string }> {
    const dataDir = newFolder()
    const store = await openStore({ dataDir, logger })
    await store.users.create(newUser())
    const database = await store.ledger.databaseId()
    await store.close()
    return { dataDir, database }
  }

  async function served(databaseUrl: string): Promise<string> {
    const store = await openStore({ databaseUrl, dataDir: newFolder(), logger })
    await store.users.create(newUser())
    const database = await store.ledger.databaseId()
    await store.close()
    return database
  }

  async function copyInto(databaseUrl: string, dataDir: string): Promise<void> {
    const source = openFileSource(databaseFile(dataDir))
    await fillServer({
      url: databaseUrl,
      source,
      progress: () => undefined,
      settle: async () => undefined,
      logger,
    })
    await source.close()
  }

  const open = (config: {
    databaseUrl?: string
    dataDir: string
    journalDatabase?: string
    isBeside?: boolean
  }) => openStore({ ...config, logger }).then((store) => store.close())
  const refusal = async (config: Parameters<typeof open>[0]) => String(await rejection(open(config)))

  it('that is empty is refused, with the command, and stays empty', async () => {
    const { dataDir } = await installed()
    const databaseUrl = await postgres.createDatabase()
    for (const isBeside of [false, true]) {
      const stated = await refusal({ databaseUrl, dataDir, isBeside })
      expect(stated).toContain('has none: carry it over with tollgate move --to "$DATABASE_URL"')
      expect(stated.split('\n')).toHaveLength(1)
      expect(stated).not.toContain('tollgate@')
    }
    await using sql = new SQL(databaseUrl, { max: 1 })
    expect(await sql.unsafe(`select tablename from pg_tables where schemaname = 'public'`)).toHaveLength(0)
  })

  it('that was started once and never set up is refused as an empty one is', async () => {
    const { dataDir } = await installed()
    const databaseUrl = await postgres.createDatabase()
    await open({ databaseUrl, dataDir: newFolder() })
    expect(await refusal({ databaseUrl, dataDir })).toContain('has none')
  })

  it('that holds another installation is refused, unless the journal of the folder is of that one', async () => {
    const { dataDir } = await installed()
    const databaseUrl = await postgres.createDatabase()
    const journalDatabase = await served(databaseUrl)
    expect(await refusal({ databaseUrl, dataDir })).toContain('has another one')
    await open({ databaseUrl, dataDir, journalDatabase })
  })

  it('that has the installation is used once the folder was moved; another copy of it is refused', async () => {
    const { dataDir, database } = await installed()
    const databaseUrl = await postgres.createDatabase()
    await copyInto(databaseUrl, dataDir)
    expect(await refusal({ databaseUrl, dataDir, journalDatabase: database })).toContain(
      'not moved from here',
    )
    writeMovedMarker(dataDir, { state: 'moved', to: 'there', database, at: '2026-11-29T00:00:00.000Z' })
    await open({ databaseUrl, dataDir, journalDatabase: database })
    expect(await refusal({ databaseUrl: await postgres.createDatabase(), dataDir })).toContain('has none')
  })

  it('is used where the file holds no installation: none was set up, or it is empty', async () => {
    const databaseUrl = await postgres.createDatabase()
    const fresh = newFolder()
    await open({ dataDir: fresh })
    await open({ databaseUrl, dataDir: fresh })
    const bare = newFolder()
    writeFileSync(databaseFile(bare), '')
    await open({ databaseUrl, dataDir: bare })
  })

  it('is refused beside a file that cannot be read', async () => {
    const databaseUrl = await postgres.createDatabase()
    const broken = newFolder()
    writeFileSync(databaseFile(broken), 'no database at all'.repeat(1000))
    expect(await refusal({ databaseUrl, dataDir: broken })).toContain('cannot be read: move it away')
  })

  it('that was moved to a file is refused from every folder', async () => {
    const databaseUrl = await postgres.createDatabase()
    await served(databaseUrl)
    await using sql = new SQL(databaseUrl, { max: 1 })
    await sql.unsafe(`insert into moves (place, moved_at) values ('/srv/tollgate', 1764374400)`)
    for (const isBeside of [false, true])
      expect(await refusal({ databaseUrl, dataDir: newFolder(), isBeside })).toContain(
        'was moved to /srv/tollgate: leave DATABASE_URL out',
      )
  })

  it('is named where the file of a folder that was moved is opened', async () => {
    const { dataDir, database } = await installed()
    writeMovedMarker(dataDir, {
      state: 'moved',
      to: 'db.example:5432/tollgate',
      database,
      at: '2026-11-29T00:00:00.000Z',
    })
    const stated = await refusal({ dataDir })
    expect(stated).toContain('was moved to the PostgreSQL database at db.example:5432/tollgate')
    expect(stated).toContain('set DATABASE_URL to it, or delete')
    writeFileSync(join(dataDir, 'moved.json'), '{')
    expect(await refusal({ dataDir })).toContain('cannot be read')
  })
})
