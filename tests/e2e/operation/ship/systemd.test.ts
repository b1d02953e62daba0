import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deadline } from '../../../../scripts/deadline/deadline.mjs'
import { ensureConsole } from '../../../../scripts/lib/console.mjs'
import { at } from '../../../../scripts/lib/root.mjs'
import { findTool } from '../../../../scripts/lib/tools.mjs'
import { buildBinary, ownTarget } from '../../../../scripts/ship/binaries.ts'
import { openSocket } from '../../../support/network/open-socket.ts'
import { expectPaidCalls, openFolder, ownedFolder, startShipped } from '../../../support/shipped.ts'

setDefaultTimeout(deadline(60_000))

const installed = '/usr/local/bin/tollgate'
const folder = openFolder()
/** Folder that `%S` stands for in a unit: the state of all services. */
const states = join(folder.path, 'var-lib')
let program: string
let text: string

beforeAll(async () => {
  await ensureConsole(() => undefined)
  program = await buildBinary(ownTarget() ?? 'linux-x64', folder.path, () => undefined)
  chmodSync(program, 0o555)
  mkdirSync(states, { mode: 0o755 })
  text = await Bun.file(at('deploy', 'tollgate.service')).text()
})
afterAll(() => folder.remove())

/** The values of a setting, as systemd expands them. */
function values(name: string): readonly string[] {
  const lines = text.split('\n').filter((line) => line.startsWith(`${name}=`))
  return lines
    .flatMap((line) => line.slice(name.length + 1).split(' '))
    .map((word) => word.replace('%S', states).replace(installed, program))
}

function analyze(...args: readonly string[]) {
  const { exitCode, stdout, stderr } = Bun.spawnSync([findTool('systemd-analyze') ?? '', ...args])
  return { code: exitCode, output: `${stdout}${stderr}` }
}

describe('the systemd unit', () => {
  it('comes to its first paid calls by its command line, its environment and its state folder', async () => {
    const env = Object.fromEntries(values('Environment').map((pair) => pair.split(/=(.*)/s).slice(0, 2)))
    const [state = ''] = values('StateDirectory')
    await ownedFolder(join(states, state))
    const [cwd = ''] = values('WorkingDirectory')
    expect(env).toMatchObject({ DATA_DIR: cwd })
    const gateway = await startShipped(values('ExecStart'), { cwd, env })
    try {
      await expectPaidCalls(gateway.url)
    } finally {
      expect(await gateway.stop()).toBe(0)
    }
  })

  it('is passed its socket, and another process serves what waited there', async () => {
    const env = Object.fromEntries(values('Environment').map((pair) => pair.split(/=(.*)/s).slice(0, 2)))
    const [cwd = ''] = values('WorkingDirectory')
    const socket = openSocket()
    const start = () => startShipped(values('ExecStart'), { cwd, env }, socket)
    try {
      const first = await start()
      expect(first.url).toEndWith(`:${socket.port}`)
      expect(await first.stop()).toBe(0)
      const waiting = fetch(`${first.url}/api/status`).then(({ status }) => status)
      const second = await start()
      expect(await waiting).toBe(200)
      expect(await second.stop()).toBe(0)
    } finally {
      socket.close()
    }
  })

  it('gives calls in flight the time to end', () => {
    expect(Number(values('TimeoutStopSec')[0])).toBeGreaterThan(25 + 5)
  })
})

describe.skipIf(findTool('systemd-analyze') === undefined)('for systemd, the unit', () => {
  const placed = (change: (unit: string) => string = (unit) => unit) => {
    const file = join(folder.path, 'tollgate.service')
    writeFileSync(file, change(text.replaceAll(installed, program)))
    return file
  }

  it('is what it knows', () => {
    expect(analyze('verify', '--man=no', placed())).toEqual({ code: 0, output: '' })
  })

  it('has a socket that it knows, of the same port', async () => {
    const socket = await Bun.file(at('deploy', 'tollgate.socket')).text()
    expect(socket).toContain('\nListenStream=3000\n')
    placed()
    const file = join(folder.path, 'tollgate.socket')
    writeFileSync(file, socket)
    expect(analyze('verify', '--man=no', file)).toEqual({ code: 0, output: '' })
  })

  it('would be found wrong by this check when it has a setting that systemd does not know', () => {
    const { output } = analyze(
      'verify',
      '--man=no',
      placed((unit) => unit.replace('StateDirectory=', 'StateFolder=')),
    )
    expect(output).toContain('StateFolder')
  })

  it('is exposed little', () => {
    // In tenths: 10 and less is "OK" to systemd, 100 is "dangerous".
    const { code, output } = analyze('security', '--offline=true', '--threshold=15', placed())
    expect([code, output]).toEqual([0, expect.stringContaining('Overall exposure level')])
  })
})
