import { describe, expect, it } from 'bun:test'
import { callerDescriptorLimit } from './http-server.ts'
import { Caller, eventually } from './test-support/loopback.ts'
import { get } from './test-support/messages.ts'

const program = new URL('./test-support/limited-server.ts', import.meta.url).pathname
const limits = (soft: number | string) =>
  `Limit                     Soft Limit           Hard Limit           Units\nMax open files            ${soft}                 20000                files\n`

describe('callers', () => {
  it.each([
    [64, 48],
    [40, 24],
    [1024, 768],
    [1_048_576, 786_432],
  ])('have at most so many of %d descriptors: %d', (soft, most) => {
    expect(callerDescriptorLimit(limits(soft))).toBe(most)
  })

  it.each(['', limits('unlimited')])('have no limit when the system tells none', (text) => {
    expect(callerDescriptorLimit(text)).toBe(Number.POSITIVE_INFINITY)
  })
})

describe.skipIf(process.platform !== 'linux')('a server at the limit of open files', () => {
  it('refuses with 503 at once, takes no processor, and serves again when there is room', async () => {
    const child = Bun.spawn(['sh', '-c', `ulimit -n 80; exec "${process.execPath}" "${program}"`], {
      stdout: 'pipe',
    })
    const reader = child.stdout.getReader()
    const read = async () => new TextDecoder().decode((await reader.read()).value)
    const port = Number((await read()).split('\n')[0])
    const callers = await Promise.all(Array.from({ length: 120 }, () => Caller.to({ port })))
    const refused = () => callers.filter(({ bytes }) => bytes.includes(' 503 '))
    await eventually(() => refused().length > 40)
    expect(String(refused()[0]?.bytes)).toContain('retry-after: ')
    await read()
    // Of half a second; a listener that spins takes three hundred milliseconds and more.
    expect(Number.parseInt(await read(), 10)).toBeLessThan(150)
    for (const caller of callers) caller.hangUp()
    await Bun.sleep(50)
    const next = await Caller.to({ port })
    next.send(get())
    expect(await next.received(1)).toMatchObject([{ status: 200, body: 'served' }])
    next.hangUp()
    child.kill('SIGKILL')
  }, 20_000)
})
