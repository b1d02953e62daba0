import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { cpSync, lstatSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deadline } from '../../../../scripts/deadline/deadline.mjs'
import { operate } from '../../../support/operator.ts'
import { ensureProgram, programCommand } from '../../../support/program.ts'
import { runTollgate } from '../../../support/server.ts'
import { openFolder, ownedFolder, runShipped, type Shipped, startShipped } from '../../../support/shipped.ts'

setDefaultTimeout(deadline(60_000))

/** User as whom `startShipped` runs a program where the suite runs as root. */
const nobody = 65_534
const folder = openFolder()
const program = programCommand()
const limits = { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' }

let dataDir: string
let unit: string

beforeAll(async () => {
  await ensureProgram()
  dataDir = await ownedFolder(join(folder.path, 'state'))
  unit = join(folder.path, 'tollgate.service')
  const variables = join(folder.path, 'tollgate.env')
  writeFileSync(variables, '# of the service\nGLOBAL_API_RATE_LIMIT_ENABLE="false"\n')
  writeFileSync(
    unit,
    `[Unit]\nDescription=Tollgate\n[Service]\nExecStart=/usr/local/bin/tollgate serve\nEnvironment=DATA_DIR=${dataDir} LOG_LEVEL=warn\nEnvironmentFile=-${variables}\nEnvironmentFile=-/nowhere.env\n`,
  )
})
afterAll(() => folder.remove())

const start = (): Promise<Shipped> =>
  startShipped(program, { cwd: dataDir, env: { DATA_DIR: dataDir, ...limits } })

/** Lists the files of the folder, or of a copy, that belong to root. */
function ofRoot(directory = dataDir): string[] {
  return readdirSync(directory, { recursive: true })
    .map(String)
    .filter((name) => lstatSync(join(directory, name)).uid !== nobody)
}

async function startsAgain(): Promise<void> {
  const gateway = await start()
  expect(await gateway.stop()).toBe(0)
}

describe.skipIf(process.getuid?.() !== 0)('commands that root runs beside a service of another user', () => {
  const asRoot = (...args: string[]) => runTollgate([...args, '--env-file', unit], {}, '/')

  it('leave everything to the service, whether it runs or not, and it starts again', async () => {
    const gateway = await start()
    try {
      await operate(gateway.url)
      for (const args of [
        ['rotate-secret', '--keep-former', join(dataDir, 'kept')],
        ['reset-root'],
        ['unlock'],
      ]) {
        const { code, output } = await asRoot(...args)
        expect([args[0], code, output]).toEqual([args[0], 0, expect.any(String)])
        expect([args[0], ofRoot()]).toEqual([args[0], []])
      }
      const made = await asRoot('backup', join(folder.path, 'root.tar'), '--with-secret')
      expect([made.code, made.output]).toEqual([0, expect.any(String)])
      expect((await asRoot('audit')).output).toContain('Everything adds up.')
      expect((await asRoot('doctor')).output).toMatch(/^ok {4}permissions: /m)
    } finally {
      expect(await gateway.stop()).toBe(0)
    }
    await startsAgain()
    const restored = await asRoot('restore', join(folder.path, 'root.tar'), '--force')
    expect([restored.code, restored.output]).toEqual([0, expect.stringContaining('replaced-')])
    expect(ofRoot()).toEqual([])
    await startsAgain()
    const aside = join(
      dataDir,
      readdirSync(dataDir).find((name) => name.startsWith('replaced-')) ?? '',
      'journal',
    )
    for (const args of [['recover', '--journal', aside], ['repair'], ['doctor'], ['audit']]) {
      const { code, output } = await asRoot(...args)
      expect([args[0], code, output]).toEqual([
        args[0],
        expect.any(Number),
        expect.not.stringContaining('choose another'),
      ])
      expect([args[0], ofRoot()]).toEqual([args[0], []])
    }
    await startsAgain()
  })

  it('make a folder for the service of a backup, too', async () => {
    const other = await ownedFolder(join(folder.path, 'new'))
    const { code, output } = await runTollgate(['restore', join(folder.path, 'root.tar')], {
      DATA_DIR: other,
    })
    expect([code, output]).toEqual([0, expect.any(String)])
    expect(ofRoot(other)).toEqual([])
  })

  it('give back what a killed one left to root', async () => {
    writeFileSync(join(dataDir, 'left'), 'by root')
    const doctor = await asRoot('doctor')
    expect([doctor.code, doctor.output]).toEqual([
      1,
      expect.stringMatching(/^fail {2}permissions: \S+left belongs to uid 0.*chown/m),
    ])
    expect(ofRoot()).toEqual(['left'])
    expect((await asRoot('unlock')).code).toBe(0)
    expect(ofRoot()).toEqual([])
  })

  it('are refused for a stranger, in one line, and nothing changes', async () => {
    const stranger = ['setpriv', '--reuid=65533', '--regid=65533', '--clear-groups', '--', ...program]
    const open = join(folder.path, 'open')
    cpSync(dataDir, open, { recursive: true })
    await Bun.$`chown -R ${nobody}:${nobody} ${open}`
    const before = readdirSync(open, { recursive: true }).length
    const child = Bun.spawn([...stranger, 'rotate-secret'], {
      cwd: '/',
      env: { DATA_DIR: open, PATH: '/usr/bin:/bin' },
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const stated = await new Response(child.stderr).text()
    expect([await child.exited, stated.trim().split('\n').length]).toEqual([1, 1])
    expect(stated).not.toContain('choose another')
    expect(readdirSync(open, { recursive: true }).length).toBe(before)
  })

  it('say whose a folder is that cannot be used, and never to begin another one', async () => {
    const locked = join(folder.path, 'locked')
    mkdirSync(locked, { mode: 0o700 })
    const { code, stderr } = await runShipped(program, {
      cwd: '/',
      env: { DATA_DIR: locked, PORT: '0', PATH: '/usr/bin:/bin' },
    })
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^tollgate: [^\n]*\n$/)])
    expect(stderr).toContain('uid 0')
    expect(stderr).not.toMatch(/choose another|DATA_DIR/)
  })

  it('find a start that fails for a file of root, and say how to mend it', async () => {
    await Bun.$`chown root:root ${join(dataDir, 'tollgate.db')}`
    const { code, stderr } = await runShipped(program, {
      cwd: '/',
      env: { DATA_DIR: dataDir, PORT: '0', PATH: '/usr/bin:/bin' },
    })
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^tollgate: [^\n]*\n$/)])
    expect(stderr).toContain(`tollgate.db belongs to uid 0, and this runs as uid ${nobody}: chown -R`)
    expect((await asRoot('unlock')).code).toBe(0)
    await startsAgain()
  })

  it('read the environment of the service, and say in one line when they cannot', async () => {
    const missing = await runTollgate(['audit', '--env-file', '/nowhere.env'], {}, '/')
    expect([missing.code, missing.output]).toEqual([
      1,
      expect.stringMatching(/^tollgate: \/nowhere\.env cannot be read[^\n]*\n$/),
    ])
    renameSync(dataDir, `${dataDir}-moved`)
    const gone = await asRoot('audit')
    expect([gone.code, gone.output]).toEqual([
      1,
      expect.stringContaining(`There is no data directory ${dataDir}`),
    ])
    renameSync(`${dataDir}-moved`, dataDir)
  })
})
