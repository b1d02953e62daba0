import { describe, expect, it } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { readSuiteTimes } from '../times/suite-times.mjs'
import { at } from './root.mjs'
import { allSuites, readSuiteMap, suitesNamed, suitesReached } from './suites.mjs'

const map = readSuiteMap()
const suites = allSuites(map)
const names = (found: readonly { name: string }[]) => found.map(({ name }) => name)
const reached = (...changed: string[]) => names(suitesReached(suites, map, { changed, suites: [] }))

describe('suitesNamed', () => {
  it('finds suites by folder, by name and by both', () => {
    expect(names(suitesNamed(suites, ['accounts'])).sort()).toContain('accounts/notifications')
    expect(names(suitesNamed(suites, ['money']))).toEqual(['billing/money'])
    expect(names(suitesNamed(suites, ['billing/money', 'relay/realtime'])).sort()).toEqual([
      'billing/money',
      'relay/realtime',
    ])
  })

  it('finds the eight that tell most', () => {
    expect(names(suitesNamed(suites, ['smoke'], map)).sort()).toEqual([...map.smoke].sort())
    expect(map.smoke).toHaveLength(8)
  })

  it('refuses a name that no suite has, with the folders there are', () => {
    expect(() => suitesNamed(suites, ['monney'])).toThrow(/no suite is named monney; folders are .*billing/)
  })
})

describe('allSuites', () => {
  it('begins with those that no run has measured, then with the longest', () => {
    const times = { 'relay/limits': { wall: 20, processor: 5 }, 'relay/modes': { wall: 30, processor: 24 } }
    const found = allSuites(map, times)
    expect(names(found).slice(-2)).toEqual(['relay/modes', 'relay/limits'])
  })

  it('has times of suites that exist', () => {
    expect(Object.keys(readSuiteTimes()).filter((name) => !names(suites).includes(name))).toEqual([])
  })
})

describe('suitesReached', () => {
  it('takes the longest path of the map that holds the change', () => {
    expect(reached('apps/server/src/gateway/relay/limits/limits.ts')).toEqual([
      'operation/fleet-money',
      'relay/limits',
    ])
    expect(reached('apps/server/src/accounts/mail/mailer.ts').sort()).toEqual([
      'accounts/notifications',
      'accounts/registration',
    ])
  })

  it('runs no suite for unit tests, prose and their helpers', () => {
    expect(reached('apps/server/src/gateway/relay/limits/limits.test.ts', 'docs/architecture.md')).toEqual([])
  })

  it('adds suites whose own imports changed', () => {
    const path = 'tests/e2e/relay/realtime.test.ts'
    expect(names(suitesReached(suites, map, { changed: [path], suites: [path] }))).toEqual(['relay/realtime'])
  })
})

describe('tests/suites.json', () => {
  it('names suites and paths that exist', () => {
    const named = [
      ...map.smoke,
      ...map.measuring,
      ...Object.keys(map.brings),
      ...Object.values(map.changes).flat(),
    ]
    expect(named.filter((name) => suitesNamed(suites, [name], map).length === 0)).toEqual([])
    expect(Object.keys(map.changes).filter((path) => !existsSync(at(path)))).toEqual([])
  })

  it('says what to run for every package, module of the server and feature of the console', () => {
    const modules = ['packages', 'apps/server/src', 'apps/web/src/features'].flatMap((folder) =>
      readdirSync(at(folder), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => (folder === 'packages' ? `${folder}/${name}/src` : `${folder}/${name}`)),
    )
    expect(modules.filter((path) => !isMapped(path))).toEqual([])
  })

  /** A room of the server is mapped by itself or by each of its folders. */
  function isMapped(path: string): boolean {
    if (map.changes[path] !== undefined) return true
    const folders = readdirSync(at(path), { withFileTypes: true }).filter((entry) => entry.isDirectory())
    return folders.length > 0 && folders.every(({ name }) => isMapped(`${path}/${name}`))
  }

  it('belongs to a checkout in which a run finds every test file', () => {
    const { stdout } = Bun.spawnSync(['git', 'ls-files', '-co', '--exclude-standard'], { cwd: at('.') })
    const tests = stdout
      .toString()
      .split('\n')
      .filter((path) => /\.(test|spec)\.[cm]?[jt]sx?$/.test(path))
    const homes = ['packages/', 'apps/', 'scripts/', 'bench/', 'tests/support/', 'tests/coverage/']
    const isFound = (path: string) =>
      suites.some((suite) => suite.path === path) ||
      (homes.some((home) => path.startsWith(home)) && /\.test\.tsx?$/.test(path))
    expect(tests.length).toBeGreaterThan(500)
    expect(tests.filter((path) => !isFound(path))).toEqual([])
  })

  it('runs the smoke suites when the packages or the settings of the tests change', () => {
    for (const path of ['bun.lock', 'package.json', 'bunfig.toml', 'tests/suites.json'])
      expect(reached(path).sort()).toEqual([...map.smoke].sort())
  })

  it('reaches every suite by some change', () => {
    const unreached = suites.filter(
      (suite) =>
        !Object.values(map.changes)
          .flat()
          .some((name) => suitesNamed(suites, [name], map).includes(suite)),
    )
    expect(names(unreached)).toEqual([])
  })
})
