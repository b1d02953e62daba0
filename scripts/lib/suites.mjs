import { readdirSync, readFileSync } from 'node:fs'
import { expectedSeconds, readSuiteTimes } from '../times/suite-times.mjs'
import { CommandError } from './command-error.mjs'
import { at } from './root.mjs'

/**
 * A whole-system suite: one file below tests/e2e, run in a process of its own.
 * @typedef {object} Suite
 * @property {string} name folder and file, `billing/money`
 * @property {string} path in the checkout
 * @property {boolean} measures what no slowness of the machine excuses, so nothing may run beside it
 * @property {readonly string[]} brings what is brought before a run that has this suite, beside what every run needs
 * @property {boolean} runsByName runs only when it is named
 *
 * What tests/suites.json says of the suites: which tell most, which measure, and which to run when a part of the sources changed.
 * @typedef {object} SuiteMap
 * @property {readonly string[]} smoke
 * @property {readonly string[]} measuring
 * @property {Readonly<Record<string, readonly string[]>>} brings folders and suites → keys of tools that are built or large, or `runtimes`
 * @property {readonly string[]} byName stories whose steps other suites prove: they run when somebody names them
 * @property {Readonly<Record<string, readonly string[]>>} changes path prefix → folders and suites; the longest prefix counts
 */

const home = 'tests/e2e'

/** @returns {SuiteMap} */
export function readSuiteMap() {
  return JSON.parse(readFileSync(at('tests', 'suites.json'), 'utf8'))
}

/**
 * Finds every suite. Those that took longest when a run was recorded start first, so that none is left running alone at the end.
 * @param {SuiteMap} map @param {import('../times/suite-times.mjs').SuiteTimes} [times]
 * @returns {readonly Suite[]}
 */
export function allSuites({ measuring, brings, byName }, times = readSuiteTimes()) {
  return readdirSync(at(home), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts'))
    .sort()
    .map((path) => ({ name: path.replace('.test.ts', ''), path: `${home}/${path}` }))
    .sort((one, other) => expectedSeconds(times, other.name) - expectedSeconds(times, one.name))
    .map((suite) => ({
      ...suite,
      measures: measuring.includes(suite.name),
      brings: Object.keys(brings).flatMap((name) => (isNamed(suite, name) ? (brings[name] ?? []) : [])),
      runsByName: byName.includes(suite.name),
    }))
}

/**
 * The suites of folders (`relay`), names (`money`), both (`billing/money`), or of `smoke`.
 * @param {readonly Suite[]} suites
 * @param {readonly string[]} names
 * @param {SuiteMap} [map]
 */
export function suitesNamed(suites, names, map = readSuiteMap()) {
  const wanted = withSmoke(names, map)
  const unknown = wanted.filter((name) => !suites.some((suite) => isNamed(suite, name)))
  if (unknown.length > 0) {
    const folders = [...new Set(suites.map(({ name }) => name.split('/')[0]))].sort().join(', ')
    throw new CommandError(`no suite is named ${unknown.join(', ')}; folders are ${folders}`)
  }
  return suites.filter((suite) => wanted.some((name) => isNamed(suite, name)))
}

/** @param {readonly string[]} names @param {SuiteMap} map */
function withSmoke(names, { smoke }) {
  return names.flatMap((name) => (name === 'smoke' ? smoke : [name]))
}

/** @param {Pick<Suite, 'name'>} suite @param {string} name */
function isNamed(suite, name) {
  return suite.name === name || suite.name.startsWith(`${name}/`) || suite.name.endsWith(`/${name}`)
}

/**
 * The suites that a change can reach: those that changed or import changed test code, and those that the map names.
 * @param {readonly Suite[]} suites
 * @param {SuiteMap} map
 * @param {{ changed: readonly string[], suites: readonly string[] }} files paths of what changed, and of the suites whose own
 *   imports changed
 */
export function suitesReached(suites, map, { changed, suites: importers }) {
  const names = withSmoke(
    changed.filter((path) => !isTestCode(path)).flatMap((path) => namesFor(map, path)),
    map,
  )
  return suites.filter(
    (suite) => importers.includes(suite.path) || names.some((name) => isNamed(suite, name)),
  )
}

/** @param {SuiteMap} map @param {string} path */
function namesFor({ changes }, path) {
  const prefixes = Object.keys(changes).filter((prefix) => path === prefix || path.startsWith(`${prefix}/`))
  const closest = prefixes.sort((one, other) => other.length - one.length)[0]
  return closest === undefined ? [] : (changes[closest] ?? [])
}

/** @param {string} path */
function isTestCode(path) {
  return /\.test\.tsx?$|\/(test-support|fixtures)\/|\.md$/.test(path)
}
