import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { systemClock } from '@tollgate/base'
import { chargeOf, recordIn, settledIn, silentLogger } from '../test-support/charges.ts'
import { JournalUnusableError } from './errors.ts'
import type { Journal } from './journal.ts'
import { openJournal } from './open.ts'

let root: string
let directory: string
let opened: Journal[]

beforeEach(() => {
  root = fs.mkdtempSync(path.join(tmpdir(), 'tollgate-journal-'))
  directory = path.join(root, 'data', 'journal')
  opened = []
})

afterEach(async () => {
  for (const journal of opened) await journal.close()
  fs.rmSync(root, { recursive: true })
})

function open(segmentBytes = 64 * 1024): Journal {
  const journal = openJournal({ directory, clock: systemClock, logger: silentLogger, segmentBytes })
  opened.push(journal)
  return journal
}

const segmentFiles = () => fs.readdirSync(directory).filter((name) => name.endsWith('.journal'))

/** Segments whose blocks are allocated at their full size. */
function preallocatedSegments(): string[] {
  return segmentFiles().filter((name) => {
    const { size, blocks } = fs.statSync(path.join(directory, name))
    return size === 64 * 1024 && blocks * 512 >= size
  })
}

/** Room is made in the background. */
async function grown(count: number): Promise<void> {
  while (preallocatedSegments().length < count) await Bun.sleep(1)
}

/** Never edited: every later version reads it. */
const segmentOf010 = [
  'VEdKUk5MMDKIMXQTAAAAAAEAAAAAAAAATvRjlQAAAADaAAAAr0nglgAAAAABAAAAWzE3MDAwMDAwMDAsMSwxLDEsNDIsMTAsMjAs',
  'MSwxLDEsMCwiYWxpY2UiLCJkZWZhdWx0IiwiZ3B0LTRvLW1pbmkiLCJkZWZhdWx0Iiwi5qih5Z6L5YCN546HIDEuMjXvvIzooaXl',
  'hajlgI3njocgNC4wMO+8jOWIhue7hOWAjeeOhyAxLjAwIiwiMjAyNTAxMDEwMDAwMDBhYmNkZWZnaCJdCnsibW9kZWxfcmF0aW8i',
  'OjEuMjUsImFkbWluX2luZm8iOnsidXNlX2NoYW5uZWwiOlsiMSJdfX0=',
].join('')

describe('openJournal', () => {
  it('makes its directory, for the owner alone', async () => {
    await open().start(0)
    expect(fs.statSync(directory).mode & 0o777).toBe(0o700)
    for (const name of segmentFiles())
      expect(fs.statSync(path.join(directory, name)).mode & 0o777).toBe(0o600)
  })

  it('keeps the name of the node over restarts', async () => {
    const first = open()
    expect(first.node).toMatch(/^[0-9a-f-]{36}$/)
    await first.close()
    expect(open().node).toBe(first.node)
  })

  it('keeps segments ahead whose every block is on the disk', async () => {
    await open().start(0)
    await grown(3)
    expect(preallocatedSegments()).toEqual(segmentFiles())
  })

  it('gives back over restarts what was appended', async () => {
    const first = open()
    await first.start(0)
    const { seq } = recordIn(first, chargeOf({ quota: 42 }))
    await first.sync()
    await first.close()
    expect(settledIn(open().entriesAfter(0))).toEqual([{ ...chargeOf({ quota: 42 }), seq }])
  })

  it('keeps the database it was written for over restarts', async () => {
    const first = open()
    await first.claimFor('one')
    await first.start(0)
    recordIn(first, chargeOf())
    await first.close()
    const second = open()
    await expect(second.claimFor('another')).rejects.toThrow(`The journal in ${directory} has charges`)
    await second.claimFor('one')
    await second.start(1)
    await second.close()
    const third = open()
    await third.claimFor('another')
    expect([...third.entriesAfter(0)]).toEqual([])
  })

  it('refuses a directory that another one uses, and takes it when that one has closed', async () => {
    const first = open()
    expect(() => open()).toThrow(
      new JournalUnusableError(`Another Tollgate process is using ${path.dirname(directory)}`),
    )
    await first.close()
    expect(() => open()).not.toThrow()
  })

  it('says in one line what is wrong with a directory that cannot be made', () => {
    fs.writeFileSync(path.join(root, 'data'), '')
    expect(() => open()).toThrow(JournalUnusableError)
    expect(() => open()).toThrow(/^The journal directory .* cannot be used: [^\n]+$/)
  })

  it('reads files of another size to their end and then makes room for its own', async () => {
    const small = open(16 * 1024)
    await small.start(0)
    for (let call = 0; call < 10; call += 1) recordIn(small, chargeOf())
    await small.close()
    const large = open()
    expect([...large.entriesAfter(0)].length).toBe(10)
    await large.start(10)
    await grown(3)
    expect(preallocatedSegments()).toEqual(segmentFiles())
  })

  it('refuses a segment of another version in one line, and leaves it as it was', async () => {
    const first = open()
    await first.start(0)
    recordIn(first, chargeOf())
    await first.close()
    const isBegun = (name: string) => fs.readFileSync(path.join(directory, name)).includes('TGJRNL')
    const file = path.join(directory, segmentFiles().find(isBegun) ?? '')
    const later = fs.readFileSync(file)
    later.write('04', 'TGJRNL'.length)
    later.writeUInt32LE(7, 8)
    fs.writeFileSync(file, later)
    expect(() => open()).toThrow(
      /^The journal in .* cannot be read: another version of Tollgate wrote it \(layout "04"[^\n]+$/,
    )
    expect(fs.readFileSync(file).equals(later)).toBe(true)
  })

  it('reads a segment as version 0.1.0 wrote it', () => {
    fs.mkdirSync(directory, { recursive: true })
    fs.writeFileSync(path.join(directory, 'node'), 'the-node')
    fs.writeFileSync(path.join(directory, '0001.journal'), Buffer.from(segmentOf010, 'base64'))
    expect(settledIn(open().entriesAfter(0))).toEqual([{ ...chargeOf({ quota: 42 }), seq: 1 }])
  })

  it('takes over a journal of version 0.1.0: what the database lacks once, by its position, then its own', async () => {
    fs.mkdirSync(directory, { recursive: true })
    fs.writeFileSync(path.join(directory, 'node'), 'the-node')
    fs.writeFileSync(path.join(directory, 'database'), 'one')
    fs.writeFileSync(path.join(directory, '0001.journal'), Buffer.from(segmentOf010, 'base64'))
    const journal = open()
    await journal.claimFor('one')
    const unsettled = (from: Journal, position: number) => {
      const reading = from.read({ position, spans: [] })
      const found = [...reading.entries()].map(({ seq, run }) => ({ seq, run }))
      expect(reading.findings()).toEqual({ losses: [], files: [] })
      return found
    }
    expect(unsettled(journal, 1)).toEqual([])
    expect(unsettled(journal, 0)).toEqual([{ seq: 1, run: undefined }])
    await journal.start(1)
    recordIn(journal, chargeOf())
    await journal.close()
    const next = open()
    await next.claimFor('one')
    expect(unsettled(next, 1)).toEqual([{ seq: 2, run: journal.run }])
  })

  it('refuses a segment of version 0.1.0 whose node nobody knows, in one line', () => {
    fs.mkdirSync(directory, { recursive: true })
    fs.writeFileSync(path.join(directory, '0001.journal'), Buffer.from(segmentOf010, 'base64'))
    expect(() => open()).toThrow(/^The journal in [^\n]+ its file "node" is gone[^\n]+put it back[^\n]+$/)
    expect(fs.existsSync(path.join(directory, 'node'))).toBe(false)
  })

  it.each([
    ['gone', undefined],
    ['empty', ''],
    ['damaged', 'b7e1'],
  ])('knows its node from its segments when the file that says it is %s', async (_, text) => {
    const first = open()
    await first.claimFor('one')
    await first.start(0)
    await first.close()
    const file = path.join(directory, 'node')
    if (text === undefined) fs.rmSync(file)
    else fs.writeFileSync(file, text)
    expect(open().node).toBe(first.node)
    expect(fs.readFileSync(file, 'utf8')).toBe(first.node)
  })

  it('keeps a file aside for its owner alone, where it is no segment', async () => {
    const first = open()
    await first.start(0)
    recordIn(first, chargeOf())
    await first.close()
    const begun = segmentFiles().find((name) =>
      fs.readFileSync(path.join(directory, name)).includes('TGJRNL'),
    )
    const file = path.join(directory, begun ?? '')
    const bytes = fs.readFileSync(file)
    bytes.writeUInt8(1, 9)
    fs.writeFileSync(file, bytes)
    fs.chmodSync(file, 0o644)
    const second = open()
    const reading = second.read({ position: 0, spans: [] })
    expect([...reading.entries()].map(({ seq }) => seq)).toEqual([1])
    expect(second.setAside(reading.findings().files)).toEqual([`${begun}.damaged-1`])
    expect(fs.statSync(`${file}.damaged-1`).mode & 0o777).toBe(0o600)
    expect(fs.readFileSync(`${file}.damaged-1`).equals(bytes)).toBe(true)
    expect(segmentFiles()).not.toContain(begun)
  })

  it('replaces a file that was cut short or has holes', async () => {
    fs.mkdirSync(directory, { recursive: true })
    fs.writeFileSync(path.join(directory, '0001.journal'), 'TGJR')
    fs.closeSync(fs.openSync(path.join(directory, '0002.journal'), 'w'))
    fs.truncateSync(path.join(directory, '0002.journal'), 64 * 1024)
    const journal = open()
    expect([...journal.entriesAfter(0)]).toEqual([])
    await journal.start(0)
    await grown(3)
    expect(preallocatedSegments()).toEqual(segmentFiles())
  })
})
