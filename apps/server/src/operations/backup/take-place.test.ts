import { afterAll, describe, expect, it } from 'bun:test'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { databaseFile } from '../../store/engine/open/database-file.ts'
import { readMovedMarker, refuseMovedFolder, writeMovedMarker } from '../../store/engine/open/moved-marker.ts'
import { makeAside } from './put-aside.ts'
import {
  type Arrival,
  arrivalSteps,
  endArrival,
  interruptedArrival,
  putLogBack,
  runArrival,
} from './take-place.ts'

const folder = mkdtempSync(join(tmpdir(), 'tollgate-arrival-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let made = 0
function newFolder(): string {
  made += 1
  const directory = join(folder, String(made))
  mkdirSync(directory)
  return directory
}

/** A database as a killed process leaves it: what it was told last is in its write-ahead log alone. */
function makeDatabase(directory: string, text: string): void {
  writeFileSync(databaseFile(directory), `${text} rows`)
  writeFileSync(`${databaseFile(directory)}-wal`, `${text} log`)
}

/** The contents of the two files. */
function databaseOf(directory: string): readonly string[] {
  return ['', '-wal']
    .map((suffix) => databaseFile(directory) + suffix)
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file, 'utf8'))
}

function makeStaging(): string {
  const staging = newFolder()
  // It was closed in good order.
  writeFileSync(databaseFile(staging), 'new rows')
  writeFileSync(join(staging, 'secret.key'), 'new secret')
  return staging
}

function makeArrival(): Arrival & { readonly journalDirectory: string } {
  const dataDir = newFolder()
  makeDatabase(dataDir, 'old')
  writeFileSync(join(dataDir, 'secret.key'), 'old secret')
  writeMovedMarker(dataDir, { state: 'moved', to: 'there', database: 'old', at: 'then' })
  const journalDirectory = join(dataDir, 'journal')
  mkdirSync(journalDirectory)
  writeFileSync(join(journalDirectory, '1.journal'), 'old call')
  return {
    dataDir,
    staging: makeStaging(),
    from: 'backup',
    command: 'tollgate restore FILE',
    database: 'new',
    aside: 'replaced',
    journalDirectory,
    now: new Date(1_764_000_000_000),
  }
}

function runSteps(arrival: Arrival, count: number): void {
  const aside = makeAside(arrival.dataDir, 'replaced', arrival.now)
  for (const { run } of arrivalSteps.slice(0, count)) run(arrival, aside)
}

const killedAfter = arrivalSteps.map(({ name }, index) => [name, index + 1] as const)

describe('a database that takes the place of another one', () => {
  it.each(killedAfter)(
    'and is killed after "%s" serves nothing, and nothing is lost when it is begun again',
    (_, count) => {
      const arrival = makeArrival()
      const { dataDir } = arrival
      runSteps(arrival, count)
      expect(() => refuseMovedFolder(dataDir)).toThrow('run tollgate restore FILE again, which finishes it')

      const later = new Date(arrival.now.getTime() + 1000)
      const aside = runArrival({ ...arrival, staging: makeStaging(), now: later })
      endArrival(dataDir)
      expect(readMovedMarker(dataDir)).toBeUndefined()
      expect(databaseOf(dataDir)).toEqual(['new rows'])
      expect(readFileSync(join(dataDir, 'secret.key'), 'utf8')).toBe('new secret')

      const found = (path: string) =>
        aside
          .map((one) => join(one, path))
          .find((file) => existsSync(file) && !readFileSync(file, 'utf8').includes('new'))
      expect(aside).toHaveLength(2)
      const complete = aside.filter((one) => existsSync(`${databaseFile(one)}-wal`))
      expect(complete.map(databaseOf)).toEqual([['old rows', 'old log']])
      expect(readFileSync(found('secret.key') ?? '', 'utf8')).toBe('old secret')
      expect(readFileSync(found('journal/1.journal') ?? '', 'utf8')).toBe('old call')
      expect(JSON.parse(readFileSync(found('moved.json') ?? '', 'utf8'))).toMatchObject({ to: 'there' })
    },
  )

  it('puts the write-ahead log back when it is killed earlier, so that the file can be repaired', () => {
    const arrival = makeArrival()
    const { dataDir } = arrival
    runSteps(arrival, arrivalSteps.length - 1)
    expect(databaseOf(dataDir)).toEqual(['old rows'])
    putLogBack(dataDir)
    expect(databaseOf(dataDir)).toEqual(['old rows', 'old log'])
    runArrival({ ...arrival, now: new Date(arrival.now.getTime() + 1000) })
    putLogBack(dataDir)
    expect(databaseOf(dataDir)).toEqual(['new rows'])
  })

  it('puts nothing aside in an empty folder', () => {
    const dataDir = newFolder()
    const { aside: _, journalDirectory: __, ...arrival } = makeArrival()
    expect(runArrival({ ...arrival, dataDir })).toEqual([])
    expect(interruptedArrival(dataDir)).toMatchObject({ from: 'backup', aside: [] })
    endArrival(dataDir)
    expect(databaseOf(dataDir)).toEqual(['new rows'])
  })
})
