import { describe, expect, it, setDefaultTimeout } from 'bun:test'
import { deadline } from '../../../../scripts/deadline/deadline.mjs'
import { callerDescriptorLimit } from './http-server.ts'
import { Caller, eventually } from './test-support/loopback.ts'
import { get } from './test-support/messages.ts'

setDefaultTimeout(deadline(20_000))

const program = new URL('./test-support/limited-server.ts', import.meta.url).pathname
const limits = (soft: number | string) =>
  `Limit                     Soft Limit           Hard Limit           Units\nMax open files            ${soft}                 20000                files\n`

describe('callers', () => {
  it.each([
    [64, 48],
    [40, 24],
    [1024, 768],
    [1_048_576, 786_432],
  ])('have at most so many of %d descriptors: %d', (soft, max) => {
    expect(callerDescriptorLimit(limits(soft))).toBe(max)
  })

  it.each(['', limits('unlimited')])('have no limit when the system tells none', (text) => {
    expect(callerDescriptorLimit(text)).toBe(Number.POSITIVE_INFINITY)
  })
})

/** A server of 60 connections: an address has 7 of them. */
async function limitedServer() {
  const child = Bun.spawn(['sh', '-c', `ulimit -n 80; exec "${process.execPath}" "${program}"`], {
    stdout: 'pipe',
  })
  const reader = child.stdout.getReader()
  const read = async () => new TextDecoder().decode((await reader.read()).value)
  const port = Number((await read()).split('\n')[0])
  const callers: Caller[] = []
  return {
    read,
    async open(count: number, localAddress: string, path?: string): Promise<readonly Caller[]> {
      const opened: Caller[] = []
      for (let at = 0; at < count; at += 1) {
        const caller = await Caller.to({ port, localAddress })
        if (path !== undefined) caller.send(get(path))
        opened.push(caller)
      }
      callers.push(...opened)
      return opened
    },
    [Symbol.dispose]() {
      for (const caller of callers) caller.hangUp()
      child.kill('SIGKILL')
    },
  }
}

const address = (number: number) => `127.0.0.${number}`
const isRefused = ({ bytes }: Caller) => bytes.includes(' 503 ')

async function isServed(caller: Caller | undefined): Promise<boolean> {
  caller?.send(get())
  return (await caller?.received(1))?.[0]?.body === 'served'
}

describe.skipIf(process.platform !== 'linux')('a server at the limit of open files', () => {
  it('gives one address an eighth of its connections, whose oldest idle ones go, and serves all others', async () => {
    using server = await limitedServer()
    const flood = await server.open(120, address(1))
    const open = () => flood.filter(({ isEnded }) => !isEnded)
    await eventually(() => open().length <= 7)
    await Bun.sleep(150)
    expect(await isServed((await server.open(1, address(1)))[0])).toBe(true)
    expect(await isServed((await server.open(1, address(2)))[0])).toBe(true)
    expect(open().length).toBe(6)
  })

  it('refuses an address whose connections are all at work', async () => {
    using server = await limitedServer()
    const atWork = await server.open(7, address(1), '/never')
    await Bun.sleep(50)
    const more = await server.open(3, address(1))
    await eventually(() => more.every(isRefused))
    expect(String(more[0]?.bytes)).toContain('retry-after: ')
    expect(atWork.some(({ isEnded }) => isEnded)).toBe(false)
    expect(await isServed((await server.open(1, address(2)))[0])).toBe(true)
    for (const { socket } of atWork) socket.resetAndDestroy()
    await Bun.sleep(50)
    expect(await isServed((await server.open(1, address(1)))[0])).toBe(true)
  })

  it('ends the connection that was idle for longest, of any address, when the table is full', async () => {
    using server = await limitedServer()
    // A proxy has any number, and its idle ones go last.
    const proxied = await server.open(20, address(99))
    const idle: Caller[] = []
    for (let from = 1; from <= 12; from += 1) idle.push(...(await server.open(6, address(from))))
    // The table has 60: whoever comes before the server has ended the rest finds it full of connections that are new.
    await eventually(() => idle.filter(({ isEnded }) => !isEnded).length <= 40)
    await Bun.sleep(150)
    const fresh: Caller[] = []
    for (let from = 21; from <= 30; from += 1) fresh.push(...(await server.open(1, address(from))))
    for (const caller of fresh) expect(await isServed(caller)).toBe(true)
    await eventually(() => idle.slice(0, 10).every(({ isEnded }) => isEnded))
    expect(proxied.some(({ isEnded }) => isEnded)).toBe(false)
    expect(await isServed(proxied[0])).toBe(true)
  })

  it('refuses with 503 at once when all are at work, takes no processor, and serves again when there is room', async () => {
    using server = await limitedServer()
    const atWork = await server.open(44, address(99), '/never')
    const more = await server.open(60, address(99), '/never')
    await eventually(() => [...atWork, ...more].filter(isRefused).length > 40)
    await server.read()
    // The server's `cpuUsage` of half a second; a listener that spins takes three hundred milliseconds and more.
    expect(Number.parseInt(await server.read(), 10)).toBeLessThan(150)
    for (const { socket } of [...atWork, ...more]) socket.resetAndDestroy()
    await Bun.sleep(50)
    expect(await isServed((await server.open(1, address(1)))[0])).toBe(true)
  })
})
