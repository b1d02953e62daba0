import { afterAll, describe, expect, it } from 'bun:test'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { zipStream } from './zip-stream.ts'

const folder = mkdtempSync(join(tmpdir(), 'tollgate-zip-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const modified = new Date('2026-11-29T06:30:08Z')

async function zipOf(pieces: readonly (readonly [string, string])[]): Promise<Buffer> {
  const provided = (async function* () {
    for (const [name, text] of pieces) yield { name, bytes: Buffer.from(text) }
  })()
  return Buffer.concat(await Array.fromAsync(zipStream(provided, modified)))
}

const large = Array.from({ length: 400 }, (_, line) => `{"line":${line},"text":"Ünïcödé 文字"}\n`).join('')
const pieces = [
  ['empty.jsonl', ''],
  ['large.jsonl', large],
  ['large.jsonl', large],
  ['größe.txt', 'x'],
] as const
const content = { 'empty.jsonl': '', 'large.jsonl': large + large, 'größe.txt': 'x' }

/** Program that reads the archive, with its checksums. */
const reader = `import json, sys, zipfile
archive = zipfile.ZipFile(sys.argv[1])
assert archive.testzip() is None
print(json.dumps({info.filename: archive.read(info).decode() for info in archive.infolist()}))
print(json.dumps([list(info.date_time) for info in archive.infolist()][0]))`

describe('zipStream', () => {
  it('writes an archive that other programs read', async () => {
    const file = join(folder, 'export.zip')
    writeFileSync(file, await zipOf(pieces))
    const [files = '', time = ''] = execFileSync('python3', ['-c', reader, file]).toString().split('\n')
    expect(JSON.parse(files)).toEqual(content)
    expect(JSON.parse(time)).toEqual([2026, 11, 29, 6, 30, 8])
  })

  it('compresses a file that came in pieces as one', async () => {
    const archive = await zipOf([
      ['a', large],
      ['a', large],
    ])
    const start = 30 + 1 + 20
    const end = archive.indexOf(Buffer.from([0x50, 0x4b, 0x07, 0x08]))
    expect(inflateRawSync(archive.subarray(start, end)).toString()).toBe(large + large)
    expect(archive.length).toBeLessThan(large.length / 2)
  })

  it('stops its source when its reader stops', async () => {
    let isEnded = false
    const source = (async function* () {
      try {
        for (;;) yield { name: 'a', bytes: Buffer.from('x') }
      } finally {
        isEnded = true
      }
    })()
    for await (const _ of zipStream(source, modified)) break
    expect(isEnded).toBe(true)
  })
})
