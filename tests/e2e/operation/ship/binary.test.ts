import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { chmodSync, copyFileSync, mkdirSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import packageJson from '../../../../apps/server/package.json' with { type: 'json' }
import { createStaticFiles } from '../../../../apps/server/src/http/static.ts'
import { afterDeadline, deadline } from '../../../../scripts/deadline/deadline.mjs'
import { ensureConsole } from '../../../../scripts/lib/console.mjs'
import { at } from '../../../../scripts/lib/root.mjs'
import { binaryName, buildBinary, ownTarget, targetNames } from '../../../../scripts/ship/binaries.ts'
import { isExecutable, tollgateProgram } from '../../../support/program.ts'
import {
  expectPaidCalls,
  openFolder,
  ownedFolder,
  runShipped,
  type Shipped,
  startShipped,
} from '../../../support/shipped.ts'

// The runtimes of other systems are brought once.
setDefaultTimeout(deadline(120_000))

/** Beginning of a file of each system, and the offset of its processor. */
const formats = {
  'linux-x64': { magic: [0x7f, 0x45, 0x4c, 0x46], machine: { offset: 18, bytes: [0x3e, 0x00] } },
  'linux-arm64': { magic: [0x7f, 0x45, 0x4c, 0x46], machine: { offset: 18, bytes: [0xb7, 0x00] } },
  'darwin-arm64': { magic: [0xcf, 0xfa, 0xed, 0xfe], machine: { offset: 4, bytes: [0x0c, 0, 0, 0x01] } },
  'windows-x64': { magic: [0x4d, 0x5a], machine: { offset: 'pe', bytes: [0x50, 0x45, 0, 0, 0x64, 0x86] } },
} as const

const dist = at('apps', 'web', 'dist')
const folder = openFolder()
const empty = join(folder.path, 'empty')
const own = ownTarget() ?? 'linux-x64'
const program = join(folder.path, binaryName(own))
let dataDir: string
let gateway: Shipped

beforeAll(async () => {
  await positionExecutable()
  mkdirSync(empty)
  dataDir = await ownedFolder(join(folder.path, 'data'))
  // Nothing but the data can be written: not the program, not the folder that it starts in.
  for (const path of [program, empty]) chmodSync(path, 0o555)
  gateway = await startShipped([program], { cwd: empty, env: { DATA_DIR: dataDir } })
})
afterAll(async () => {
  await gateway?.stop()
  folder.remove()
})

/** `npm test` has built it for all suites as it is shipped. */
async function positionExecutable(): Promise<void> {
  if (isExecutable(tollgateProgram)) return copyFileSync(tollgateProgram, program)
  await ensureConsole(() => undefined)
  await buildBinary(own, folder.path, () => undefined)
}

const run = (...args: readonly string[]) =>
  runShipped([program, ...args], { cwd: empty, env: { DATA_DIR: dataDir } })

describe('the executable, in an empty folder, without Node.js on its path', () => {
  it('comes to its first paid calls', async () => {
    await expectPaidCalls(gateway.url)
    expect(readdirSync(empty)).toEqual([])
  })

  it('says its version to the shell, to callers and to the console, and explains its commands', async () => {
    const { version } = packageJson
    expect(await run('--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
    expect(await (await fetch(`${gateway.url}/api/status`)).json()).toMatchObject({ data: { version } })
    expect((await run('--help')).stdout).toStartWith('Usage: tollgate')
    expect(await run('dance')).toMatchObject({ code: 2 })
  })

  it('checks its books while it runs', async () => {
    expect(await run('audit')).toMatchObject({ code: 0 })
  })

  it('tells a container whether it is ready', async () => {
    const env = { DATA_DIR: dataDir, HOST: '0.0.0.0', PORT: new URL(gateway.url).port }
    expect(await runShipped([program, 'health'], { cwd: empty, env })).toMatchObject({ code: 0, stderr: '' })
    const gone = await runShipped([program, 'health'], { cwd: empty, env: { ...env, PORT: '1' } })
    expect(gone).toMatchObject({
      code: 1,
      stderr: 'tollgate: nothing responds at http://127.0.0.1:1/readyz\n',
    })
  })

  it('serves every file of the console as the folder does: headers, tag, compression', async () => {
    const fromFolder = createStaticFiles(dist)
    const names = readdirSync(dist, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => `/${relative(dist, join(entry.parentPath, entry.name))}`)
    expect(names.length).toBeGreaterThan(100)
    const retained = [
      'etag',
      'cache-control',
      'content-type',
      'content-encoding',
      'vary',
      'content-security-policy',
    ]
    const seen = async (response: Response) => ({
      status: response.status,
      headers: retained.map((name) => response.headers.get(name)),
      hash: Bun.hash(await response.arrayBuffer()),
    })
    for (const name of [...names, '/', '/channel/edit/5', '/assets/gone-1a2b3c.js'])
      for (const encoding of ['gzip', 'identity']) {
        const headers = { 'accept-encoding': encoding }
        // The bytes as they are sent, not as they are unpacked.
        const sent = await fetch(gateway.url + name, { headers, decompress: false })
        const known = await fromFolder(new Request(`http://gate.test${name}`, { headers }))
        expect([name, encoding, await seen(sent)]).toEqual([name, encoding, await seen(known)])
        const tag = sent.headers.get('etag')
        if (tag === null) continue
        const again = await fetch(gateway.url + name, { headers: { ...headers, 'if-none-match': tag } })
        expect([name, again.status]).toEqual([name, 304])
      }
  })

  it('ends with 0 on SIGTERM, and starts again over its data', async () => {
    expect(await gateway.stop()).toBe(0)
    gateway = await startShipped([program], { cwd: empty, env: { DATA_DIR: dataDir } })
    expect(await (await fetch(`${gateway.url}/api/setup`)).json()).toMatchObject({ data: { status: true } })
  })

  it('needs no network to start', async () => {
    const data = join(folder.path, 'cut-off')
    const cutOff = ['unshare', '--net', '--map-root-user', '--', program]
    const child = Bun.spawn(cutOff, { cwd: empty, env: { DATA_DIR: data, PORT: '0' }, stdout: 'pipe' })
    const release = afterDeadline(20_000, () => child.kill('SIGKILL'))
    let stated = ''
    for await (const chunk of child.stdout) {
      stated += new TextDecoder().decode(chunk)
      if (stated.includes('is running')) child.kill('SIGTERM')
    }
    release()
    expect([await child.exited, stated]).toEqual([0, expect.stringContaining('is running at')])
  })
})

describe('executables for other systems', () => {
  it.each(targetNames)('%s has the format and the processor of its system', async (target) => {
    const file = Bun.file(await buildBinary(target, join(folder.path, 'all'), () => undefined))
    const head = new Uint8Array(await file.slice(0, 4096).arrayBuffer())
    const { magic, machine } = formats[target]
    const start = machine.offset === 'pe' ? new DataView(head.buffer).getUint32(0x3c, true) : machine.offset
    expect([...head.slice(0, magic.length)]).toEqual([...magic])
    expect([...head.slice(start, start + machine.bytes.length)]).toEqual([...machine.bytes])
    // Server and console are inside, not the bare runtime.
    const page = await Bun.file(join(dist, 'index.html')).bytes()
    expect(Buffer.from(await file.arrayBuffer()).indexOf(page)).toBeGreaterThan(0)
  })
})
