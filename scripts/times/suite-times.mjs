import { readFileSync, writeFileSync } from 'node:fs'
import { at } from '../lib/root.mjs'

/**
 * What a suite took the last time that somebody recorded a complete run, in seconds, beside others.
 * @typedef {object} SuiteTime
 * @property {number} wall from its start to its end
 * @property {number} processor of all its processes
 *
 * @typedef {Readonly<Record<string, SuiteTime>>} SuiteTimes by the names of the suites
 */

const file = at('tests', 'suite-times.json')

/** @returns {SuiteTimes} */
export function readSuiteTimes() {
  return JSON.parse(readFileSync(file, 'utf8'))
}

/** Writes what a complete run measured, the longest first. @param {SuiteTimes} times */
export function writeSuiteTimes(times) {
  const rows = Object.entries(times)
    .toSorted(([, one], [, other]) => other.wall - one.wall)
    .map(([name, { wall, processor }]) => `  "${name}": { "wall": ${wall}, "processor": ${processor} }`)
  writeFileSync(file, `{\n${rows.join(',\n')}\n}\n`)
}

/** Returns the seconds that a suite is expected to take. One that no run has measured starts first: it may be long. @param {SuiteTimes} times @param {string} name */
export function expectedSeconds(times, name) {
  return times[name]?.wall ?? unmeasured
}

const unmeasured = 3600

/** @param {number} ms */
export function inSeconds(ms) {
  return Math.round(ms / 100) / 10
}
