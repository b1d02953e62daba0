import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, relative } from 'node:path'
import { at, root } from '../lib/root.mjs'
import { briefPrograms } from '../lib/suite-environment.mjs'
import { suiteStep } from './steps.mjs'

/** Folders of unit tests; whole-system tests in tests/e2e are not among them. */
const homes = ['packages', 'apps', 'scripts', 'bench', 'tests/support']
/** Folders in which no sources lie. */
const ignoredFolders = new Set(['dist', 'node_modules', '.vite'])

/**
 * A test that reads one of these measures memory or time, and would measure its neighbours too. `performance.now` is for
 * limits that only a hang exceeds: those hold beside neighbours as well.
 */
const meters = /\b(memoryUsage|heapStats|cpuUsage|resourceUsage|nanoseconds)\b/
/** A test that measures what is built waits for the builds, which run beside the other tests. */
const readsBuilds = /['"][./]*dist['"]/

/** A test of a component: it has a window, which stays for all that its process runs, and must be there before the kit is loaded. */
const component = /\.component\.test\.tsx$/

/** Tests wait for timers and sockets as well as for the processor, so one worker more than there are cores pays. */
const workers = Math.min(availableParallelism() + 1, 8)

/**
 * The unit tests as steps: those that measure alone, those of components in processes that have a window, the others shared by several
 * workers.
 * @param {NodeJS.ProcessEnv} env
 * @param {readonly string[]} [files] paths in the checkout; all unit tests by default
 */
export function unitTestSteps(env, files = unitTestFiles()) {
  const limits = { timeoutMs: 8 * 60_000, testTimeoutMs: 60_000, env }
  const sharing = { ...limits, env: { ...briefPrograms, ...env }, workers }
  const components = files.filter((file) => component.test(file))
  const plain = files.filter((file) => !component.test(file))
  const measuring = plain.filter((file) => isMeasuring(readFileSync(at(file), 'utf8')))
  const others = plain.filter((file) => !measuring.includes(file))
  const command = `bun test ${homes.map(asPath).join(' ')}`
  return {
    shared: [
      ...stepOf('unit tests', others, { ...sharing, command }),
      ...stepOf('component tests', components, { ...sharing, command: 'bun test .component.test' }),
    ],
    measuring: stepOf('unit tests that measure', measuring, { ...limits, alone: true }),
  }
}

/** @param {string} name @param {readonly string[]} files @param {import('./steps.mjs').SuiteLimits} limits */
function stepOf(name, files, limits) {
  return files.length === 0 ? [] : [suiteStep(name, files.map(asPath), limits)]
}

/** @param {string} source */
function isMeasuring(source) {
  return meters.test(source) || readsBuilds.test(source)
}

/** Returns the file as a path with a dot: without one it is a part of names to `bun test`, and matches other files too. @param {string} file */
function asPath(file) {
  return `./${file}`
}

function unitTestFiles() {
  return homes.flatMap((home) => testFilesBelow(at(home))).map((path) => relative(root, path))
}

/** @param {string} folder @returns {string[]} */
function testFilesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return ignoredFolders.has(entry.name) ? [] : testFilesBelow(path)
    return /\.test\.tsx?$/.test(entry.name) ? [path] : []
  })
}
