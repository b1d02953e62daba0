import { existsSync, readFileSync } from 'node:fs'

/**
 * @typedef {object} Tally
 * @property {number} passed
 * @property {number} failed
 * @property {readonly string[]} skipped names of the tests that were not run
 * @property {string} [fault] why a run counts as failed although no test of it failed
 */

/**
 * Counts of one `bun test` run. What it prints at its end is complete, its JUnit report leaves out files that do not
 * load; the names of what was skipped are in the report only. A run without a failed test counts as one failure when it
 * leaves early (it then writes no report of its tests), ends badly (an error between tests), or holds a file without a test.
 * @param {{ code: number, output: string }} outcome
 * @param {string} path of the JUnit report
 * @returns {Tally}
 */
export function readReport({ code, output }, path) {
  const summary = summaryIn(output)
  const report = existsSync(path) ? readFileSync(path, 'utf8') : ''
  if (summary === undefined || (summary.tests > 0 && report === ''))
    return { passed: 0, failed: 1, skipped: [], fault: 'the run left before its end' }
  const { passed, failed, files } = summary
  const skipped = skippedTests(report)
  const empty = files - filesIn(report)
  if (failed > 0 || (code === 0 && empty === 0)) return { passed, failed, skipped }
  const fault = code === 0 ? `files without a test: ${empty}` : `the run ended with exit code ${code}`
  return { passed, failed: 1, skipped, fault }
}

/** The counts above the last of the lines `Ran 12 tests across 3 files.`; a test may have printed such lines before. @param {string} output */
function summaryIn(output) {
  const last = [...output.matchAll(/((?:^ *\d+ .*\n)+)^Ran (\d+) tests? across (\d+) files?\./gm)].at(-1)
  if (last === undefined) return undefined
  const [, counts = '', tests, files] = last
  const countOf = (/** @type {string} */ word) =>
    Number(new RegExp(`^ *(\\d+) ${word}$`, 'm').exec(counts)?.[1] ?? 0)
  return { passed: countOf('pass'), failed: countOf('fail'), tests: Number(tests), files: Number(files) }
}

/** Counts the files that the report has tests of. @param {string} report */
function filesIn(report) {
  return new Set([...report.matchAll(/<testcase\b[^>]*>/g)].map(([tag]) => attribute(tag, 'file'))).size
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
