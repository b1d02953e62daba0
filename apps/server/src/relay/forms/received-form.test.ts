import { describe, expect, it } from 'bun:test'
import { FormFault } from './form-scanner.ts'
import { FormCollector } from './received-form.ts'

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

  it('keeps many small files out of memory, and gives them whole', async () => {
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
