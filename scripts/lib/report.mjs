import { existsSync, readFileSync } from 'node:fs'

/**
 * @typedef {object} Tally
 * @property {number} passed
 * @property {number} failed
 * @property {readonly string[]} skipped names of the tests that were not run
 */

/**
 * Counts of one `bun test` run. What it prints at its end is complete, its JUnit report leaves out files that do not
 * load; the names of what was skipped are in the report only. A run that ends badly without counting a failure (an error
 * between tests, a process that left early) counts as one.
 * @param {{ code: number, output: string }} outcome
 * @param {string} path of the JUnit report
 * @returns {Tally}
 */
export function readReport({ code, output }, path) {
  const failures = countOf('fail', output)
  if (failures === undefined) return { passed: 0, failed: 1, skipped: [] }
  const failed = failures === 0 && code !== 0 ? 1 : failures
  const report = existsSync(path) ? readFileSync(path, 'utf8') : ''
  return { passed: countOf('pass', output) ?? 0, failed, skipped: skippedTests(report) }
}

/**
 * The last of the lines that read ` 12 pass`; a test may have printed such lines before.
 * @param {string} word
 * @param {string} output
 */
function countOf(word, output) {
  const count = [...output.matchAll(new RegExp(`^ *(\\d+) ${word}$`, 'gm'))].at(-1)?.[1]
  return count === undefined ? undefined : Number(count)
}

/** @param {string} report */
function skippedTests(report) {
  return [...report.matchAll(/(<testcase\b[^>]*>)\s*<skipped\b/g)].map(([, tag = '']) =>
    [attribute(tag, 'file'), attribute(tag, 'classname'), attribute(tag, 'name')].filter(Boolean).join(' > '),
  )
}

/** @param {string} tag @param {string} name */
function attribute(tag, name) {
  return new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1]?.replace(/&(#\d+|\w+);/g, decodeEntity)
}

const entities = /** @type {Readonly<Record<string, string>>} */ ({
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
})

/** @param {string} whole @param {string} name */
function decodeEntity(whole, name) {
  return name.startsWith('#') ? String.fromCodePoint(Number(name.slice(1))) : (entities[name] ?? whole)
}
