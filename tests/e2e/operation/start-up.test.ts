import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterDeadline, deadline } from '../../../scripts/deadline/deadline.mjs'
import { withDatabase } from '../../support/console/people.ts'
import { freePort } from '../../support/network/free-port.ts'
import { operate } from '../../support/operator.ts'
import { endsWithParent, programCommand } from '../../support/program.ts'
import { runTollgate, startTollgate, type Tollgate } from '../../support/server.ts'
import { until } from '../../support/until.ts'

// Each case starts the program once or more.
setDefaultTimeout(deadline(60_000))

let gateway: Tollgate
let directory: string

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'tollgate-start-'))
  gateway = await startTollgate()
})
afterAll(async () => {
  await gateway?.stop()
  rmSync(directory, { recursive: true, force: true })
})

/** Starts the program in a way that must fail, and returns its output and exit code. */
async function failedStart(env: Record<string, string>, args: readonly string[] = []) {
  const child = Bun.spawn(programCommand(args), {
    cwd: directory,
    env: { PATH: process.env['PATH'] ?? '', DATA_DIR: join(directory, 'data'), PORT: '0', ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const release = afterDeadline(15_000, () => child.kill('SIGKILL'))
  const output = await new Response(child.stderr).text()
  const exitCode = await child.exited
  release()
  return { exitCode, lines: output.trim().split('\n') }
}

describe('a start that cannot succeed', () => {
  it('names the variable whose value is wrong, and tells no secret', async () => {
    const secrets = new Set<string>(['nonsense', 'sh0rt'])
    for (const [name, value] of [
      ['PORT', 'many'],
      ['PORT', '70000'],
      ['MAX_BODY_MB', '-1'],
      ['TRUSTED_PROXIES', 'everyone'],
      ['LOG_LEVEL', 'loud'],
      ['DATABASE_URL', 'nonsense'],
      ['REDIS_URL', 'nonsense'],
      ['TOLLGATE_ROOT_PASSWORD', 'sh0rt'],
      ['HTTPS_PROXY', 'socks5://127.0.0.1:1080'],
      ['http_proxy', 'socks5h://127.0.0.1:1080'],
      ['ALL_PROXY', 'socks4://127.0.0.1:1080'],
    ] as const) {
      const { exitCode, lines } = await failedStart({ [name]: value })
      expect(exitCode).not.toBe(0)
      expect(lines).toHaveLength(1)
      expect(lines[0]).toContain(name)
      if (secrets.has(value)) expect(lines[0]).not.toContain(value)
    }
  })

  it('says in one line that the database cannot be reached, without its password', async () => {
    const { exitCode, lines } = await failedStart({
      DATABASE_URL: 'postgres://someone:secret-word@127.0.0.1:1/tollgate',
    })
    expect(exitCode).not.toBe(0)
    expect(lines).toHaveLength(1)
    expect(lines[0]).not.toContain('secret-word')
  })

  it('says in one line which numbers of workers there are, and what several need', async () => {
    for (const WORKERS of ['0', '-1', 'abc', '1.5', '10000', 'auto 2']) {
      const { exitCode, lines } = await failedStart({ WORKERS })
      expect([exitCode, lines]).toEqual([
        1,
        ['tollgate: WORKERS must be auto or a whole number from 1 to 128'],
      ])
    }
    const { exitCode, lines } = await failedStart({ WORKERS: '2', DATA_DIR: join(directory, 'several') })
    expect([exitCode, lines]).toEqual([1, [expect.stringMatching(/^tollgate: WORKERS .*DATABASE_URL/)]])
  })

  it('says in one line that the port is in use', async () => {
    const { port } = new URL(gateway.url)
    const { exitCode, lines } = await failedStart({ PORT: port, HOST: '127.0.0.1' })
    expect(exitCode).not.toBe(0)
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain(`port ${port} is in use`)
  })

  it('says in one line which variable has an address that is none of this machine', async () => {
    for (const env of [{ HOST: '192.0.2.1' }, { HOST: '2001:db8::1' }, { METRICS_LISTEN: '192.0.2.1:0' }]) {
      const [name = ''] = Object.keys(env)
      const { exitCode, lines } = await failedStart({ DATA_DIR: join(directory, 'nowhere'), ...env })
      expect([exitCode, lines]).toEqual([1, [expect.stringContaining(name)]])
    }
  })

  it('says in one line that the data directory cannot be used', async () => {
    const file = join(directory, 'a-file')
    writeFileSync(file, '')
    const { exitCode, lines } = await failedStart({ DATA_DIR: join(file, 'data') })
    expect(exitCode).not.toBe(0)
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain('data directory')
  })

  it('refuses a data directory that another process is using', async () => {
    const { exitCode, lines } = await failedStart({ DATA_DIR: gateway.dataDir })
    expect(exitCode).not.toBe(0)
    expect(lines).toHaveLength(1)
  })

  it('explains its commands', async () => {
    expect((await failedStart({}, ['dance'])).exitCode).toBe(2)
    const help = await gateway.run('--help')
    expect(help.code).toBe(0)
    expect(help.output).toContain('audit')
  })
})

describe('a first-run setup', () => {
  const account = { username: 'root', password: 'correct-horse-battery' }
  const form = {
    ...account,
    confirmPassword: account.password,
    SelfUseModeEnabled: true,
    DemoSiteEnabled: false,
  }

  it('is there whole or not at all: what cannot store the mode makes no root', async () => {
    const run = (text: string) => withDatabase(gateway.dataDir, (file) => void file.run(text))
    run(`create trigger spoilt before insert on options when new.key = 'DemoSiteEnabled'
      begin select raise(abort, 'the disk is full'); end`)
    const url = `${gateway.url}/api/setup`
    const failed = await fetch(url, { method: 'POST', body: JSON.stringify(form) })
    expect(failed.status).toBe(500)
    expect(await (await fetch(url)).json()).toMatchObject({ data: { status: false, root_init: false } })
    run('drop trigger spoilt')
    expect(await (await fetch(url, { method: 'POST', body: JSON.stringify(form) })).json()).toMatchObject({
      success: true,
    })
    const root = await operate(gateway.url)
    const options = await root.api<{ key: string; value: string }[]>('GET', '/api/option/')
    expect(options).toContainEqual({ key: 'SelfUseModeEnabled', value: 'true' })
  })
})

describe('a stop', () => {
  it('has its sessions, settings and keys after the next start', async () => {
    await gateway.restart()
    const status = await fetch(`${gateway.url}/api/status`)
    expect(status.status).toBe(200)
    const ready = await fetch(`${gateway.url}/readyz`)
    expect(await ready.json()).toMatchObject({ ready: true, database: true })
  })
})

const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ family }) => family === 'IPv6'))

describe('an address to listen on', () => {
  /** Starts a gateway at a host, and asks it by a command and by requests. */
  async function reached(host: string, ways: readonly string[]) {
    const port = await freePort()
    const env = { DATA_DIR: join(directory, `at-${port}`), HOST: host, PORT: String(port) }
    const child = Bun.spawn(programCommand(), {
      cwd: directory,
      env: { PATH: process.env['PATH'] ?? '', ...endsWithParent, ...env },
      stdout: 'pipe',
      stderr: 'inherit',
    })
    try {
      const health = await until(async () => {
        const command = await runTollgate(['health'], env, directory)
        return command.code === 0 ? command : undefined
      })
      const statuses = await Promise.all(
        ways.map((way) =>
          fetch(`http://${way}:${port}/api/status`).then(
            ({ status }) => status,
            () => 0,
          ),
        ),
      )
      const doctor = await runTollgate(['doctor'], env, directory)
      child.kill('SIGTERM')
      const printed = await new Response(child.stdout).text()
      const [, url = ''] = / is running at (\S+)/.exec(printed) ?? []
      return { health: health.code, statuses, doctor: doctor.output, host: new URL(url).hostname }
    } finally {
      child.kill('SIGKILL')
      await child.exited
    }
  }

  it.skipIf(!hasIpv6)('is every one of both families without HOST, and with ::', async () => {
    for (const host of ['', '::']) {
      const found = await reached(host, ['127.0.0.1', '[::1]'])
      expect(found).toMatchObject({ health: 0, statuses: [200, 200], host: 'localhost' })
      expect(found.doctor).toMatch(/^ok\s+gateway: it serves at http:\/\/\[::1\]:/m)
    }
  })

  it.skipIf(!hasIpv6)(
    'is a literal of IPv6, with brackets or without, in each line and command',
    async () => {
      for (const host of ['::1', '[::1]']) {
        const found = await reached(host, ['127.0.0.1', '[::1]'])
        expect(found).toMatchObject({ health: 0, statuses: [0, 200], host: '[::1]' })
        expect(found.doctor).toMatch(/^ok\s+gateway: it serves at http:\/\/\[::1\]:/m)
      }
    },
  )

  it('is IPv4 alone with 0.0.0.0', async () => {
    const found = await reached('0.0.0.0', ['127.0.0.1', '[::1]'])
    expect(found).toMatchObject({ health: 0, statuses: [200, 0], host: 'localhost' })
  })
})
