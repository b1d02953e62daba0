import { describe, expect, it } from 'bun:test'
import { FormFault } from './form-scanner.ts'
import { FormCollector, Spool } from './received-form.ts'

const field = (name: string) => ({ name, fileName: undefined, contentType: '' })
const file = (name: string) => ({ name, fileName: `${name}.png`, contentType: 'image/png' })
const kilobytes = (count: number) => Buffer.alloc(count * 1024, 'a')

describe('a form that comes in', () => {
  it('may hold so much text altogether, in however many fields', () => {
    const form = new FormCollector()
    const fill = () => {
      for (let count = 0; count < 10; count++) {
        form.part(field(`f${count}`))
        form.data(kilobytes(200))
      }
    }
    expect(fill).toThrow(FormFault)
  })

  it('may hold so many files', async () => {
    const form = new FormCollector()
    const fill = () => {
      for (let count = 0; count < 40; count++) form.part(file(`f${count}`))
    }
    expect(fill).toThrow('more than 32 files')
    await form.discard()
  })

  it('keeps many small files out of memory, and returns them complete', async () => {
    const form = new FormCollector()
    for (let count = 0; count < 20; count++) {
      form.part(file(`f${count}`))
      form.data(kilobytes(400))
      await form.flush()
    }
    await form.finish()
    const spools = form.parts.flatMap((part) => (part.kind === 'file' ? [part.file] : []))
    const inMemory = spools.reduce((sum, spool) => sum + spool.bytesInMemory, 0)
    expect(inMemory).toBeLessThanOrEqual(2 * 1024 * 1024)
    for (const spool of spools) expect((await spool.slice(0, spool.size)).length).toBe(400 * 1024)
    await form.discard()
  })
})

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

  it('is read to its end by a reader that started before it was discarded', async () => {
    const spool = await spooled(pieces)
    const reading = spool.read()
    const first = await reading.next()
    await spool.discard()
    let size = first.value?.length ?? 0
    for await (const piece of reading) size += piece.length
    expect(size).toBe(joined.length)
  })
})
