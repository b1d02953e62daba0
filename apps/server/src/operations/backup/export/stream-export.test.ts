import { expect, it } from 'bun:test'
import type { CopySource } from '../../../store/engine/copy/copy-source.ts'
import { closing } from './stream-export.ts'

function source() {
  const closes: number[] = []
  const made: CopySource = {
    kind: 'sqlite',
    read: async () => {
      throw new Error('nothing is read')
    },
    async *batches() {},
    requireUndisturbed: () => undefined,
    async close() {
      closes.push(closes.length)
    },
  }
  return { made, closes }
}

async function* pieces() {
  for (let piece = 1; piece <= 3; piece += 1) yield Uint8Array.of(piece)
}

it('ends the read transaction of a download that nobody takes any more', async () => {
  const { made, closes } = source()
  const download = closing(made, pieces, 5)
  await download.next()
  await Bun.sleep(30)
  expect(closes).toHaveLength(1)
  await expect(download.next()).rejects.toThrow('not taken for a minute')
  expect(closes).toHaveLength(1)
})

it('ends it once at the end, and when the reader leaves', async () => {
  const all = source()
  const sizes: number[] = []
  for await (const piece of closing(all.made, pieces, 1000)) sizes.push(piece.length)
  expect([sizes, all.closes.length]).toEqual([[1, 1, 1], 1])
  const left = source()
  for await (const _ of closing(left.made, pieces, 1000)) break
  expect(left.closes).toHaveLength(1)
})
