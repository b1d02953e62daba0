import { describe, expect, it } from 'bun:test'
import { Spool } from './spool.ts'

async function spooled(pieces: readonly Uint8Array[]): Promise<Spool> {
  const spool = new Spool()
  for (const piece of pieces) {
    spool.add(piece)
    await spool.flush()
  }
  await spool.finish()
  return spool
}

async function textOf(spool: Spool): Promise<string> {
  const pieces: Uint8Array[] = []
  for await (const piece of spool.read()) pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces).toString()
}

const large = Array.from({ length: 40 }, (_, index) =>
  Buffer.alloc(50_000, String.fromCharCode(97 + (index % 26))),
)

describe.each([
  ['small', [Buffer.from('abc'), Buffer.from('def')]],
  ['large', large],
])('a spool of a %s file', (_, pieces) => {
  const joined = Buffer.concat(pieces).toString()

  it('is read as often as one likes, and in parts', async () => {
    const spool = await spooled(pieces)
    expect(spool.size).toBe(joined.length)
    expect(await textOf(spool)).toBe(joined)
    expect(await textOf(spool)).toBe(joined)
    expect(Buffer.from(await spool.slice(2, 5)).toString()).toBe(joined.slice(2, 5))
    expect((await spool.slice(joined.length - 1, joined.length + 99)).length).toBe(1)
    await spool.discard()
  })

  it('is read to its end by whoever has begun when it is discarded', async () => {
    const spool = await spooled(pieces)
    const reading = spool.read()
    const first = await reading.next()
    await spool.discard()
    let size = first.value?.length ?? 0
    for await (const piece of reading) size += piece.length
    expect(size).toBe(joined.length)
  })
})
