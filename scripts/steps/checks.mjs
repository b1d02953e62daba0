import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ensureConsole } from '../lib/console.mjs'
import { ensureExecutable } from '../lib/executable.mjs'
import { at, root } from '../lib/root.mjs'
import { bun } from '../lib/runtime.mjs'
import { ensureServer } from '../lib/server.mjs'
import { toolStep, workStep } from './steps.mjs'
import { unitTestSteps } from './unit-tests.mjs'

/** @typedef {import('./steps.mjs').Step} Step */

/**
 * Returns the steps of `npm run check`: what is seen in the sources without running them, the longest first.
 * @returns {readonly Step[]}
 */
export function checkSteps() {
  return [...typeProjects().map(typesStep), lintStep(['.']), ...treeSteps()]
}

/**
 * Returns the steps of a complete `npm test` before its suites: first the builds, which others wait for, then the longest.
 * @param {NodeJS.ProcessEnv} env of the unit tests
 * @param {readonly Step[]} builds
 */
export function completeSteps(env, builds) {
  const { shared, measuring } = unitTestSteps(env)
  return [...builds, ...shared, ...checkSteps(), ...measuring]
}

/**
 * Returns the unit tests of the tree, component tests among them, behind the builds that some of them read.
 * @param {NodeJS.ProcessEnv} env
 * @param {readonly Step[]} builds
 */
export function unitSteps(env, builds) {
  const { shared, measuring } = unitTestSteps(env)
  return [...builds, ...shared, ...measuring]
}

/** Returns the checks that look at the tree as a whole, whatever changed in it. */
function treeSteps() {
  return [unusedStep(), boundariesStep(), measuresStep(), migrationsStep(), documentsStep()]
}

/**
 * Returns the builds that tests run: each passes at once when its sources have not changed. The executable carries the console, and waits for
 * its build.
 */
export function buildSteps() {
  const console = consoleBuild()
  const executable = () => console().then(() => ensureExecutable(() => {}))
  return [
    workStep('the console builds', 'bun run --cwd apps/web build', console),
    workStep('the server builds', 'bun run --cwd apps/server build', () => ensureServer(() => {})),
    workStep('the executable builds', 'npm run build:binary', executable),
  ]
}

/** The build of the console, which two steps wait for. @returns {() => Promise<void>} */
function consoleBuild() {
  /** @type {Promise<void> | undefined} */
  let built
  return () => {
    built ??= ensureConsole(() => {})
    return built
  }
}

/**
 * Returns the checks of what changed and of what imports it, and the unit tests that run it.
 * @param {NodeJS.ProcessEnv} env of the unit tests
 * @param {{ changed: readonly string[], affected: readonly string[], tests: readonly string[] }} files paths in the checkout:
 *   what changed or is gone, that and what imports it, and the unit tests that may see it
 */
export function changedSteps(env, { changed, affected, tests }) {
  const { shared, measuring } = unitTestSteps(env, tests)
  const projects = typeProjects().filter((project) => affected.some((file) => isOf(project, file)))
  const present = changed.filter((file) => existsSync(at(file)))
  return [
    ...shared,
    ...projects.map(typesStep),
    ...(present.length === 0
      ? []
      : [lintStep(['--files-ignore-unknown=true', '--no-errors-on-unmatched', ...present])]),
    ...treeSteps(),
    ...measuring,
  ]
}

/** @param {readonly string[]} args */
function lintStep(args) {
  const program = bin('@biomejs/biome', 'biome')
  return toolStep('format and lint', process.execPath, [program, 'check', '--error-on-warnings', ...args])
}

/**
 * Checks the types of a project, but for what is unchanged since the last run. One checker, because several work out the same types of zod and
 * of the router again: four take twice the processor time.
 * @param {string} project
 */
function typesStep(project) {
  const known = at('node_modules', '.tollgate', 'types', `${project}.tsbuildinfo`)
  const options = ['--noEmit', '--checkers', '1', '--incremental', '--tsBuildInfoFile', known]
  return toolStep(`types of ${project}`, process.execPath, [
    bin('typescript', 'tsc'),
    '-p',
    project,
    ...options,
  ])
}

function unusedStep() {
  return toolStep('nothing unused', bun, [bin('knip', 'knip-bun.js'), '--no-config-hints'])
}

function boundariesStep() {
  return toolStep('who may know whom', bun, [at('scripts', 'boundaries', 'main.ts')], { hasFigures: true })
}

/** Nothing grows beyond the limits of `scripts/stats/limits.json`, which fall, and rise for a written reason alone. */
function measuresStep() {
  return toolStep('the measures hold', bun, [at('scripts', 'stats', 'main.ts'), '--check'])
}

/** Checks that no landed migration is edited, and none is inserted below another without a reason. */
function migrationsStep() {
  return toolStep('landed migrations stand', bun, [at('scripts', 'migrations', 'main.ts')])
}

/**
 * Checks that documents which are written from tables agree with them, that links lead somewhere, and that no vendor is named in apps. Unit
 * tests, but nobody runs those for a row or a comment.
 */
function documentsStep() {
  const tests = ['./scripts/docs', './scripts/boundaries/vendors.test.ts']
  return toolStep('documents and names agree with the tables', bun, ['test', '--only-failures', ...tests])
}

/** @param {string} name of the package @param {string} program */
function bin(name, program) {
  return at('node_modules', ...name.split('/'), 'bin', program)
}

/** Every tsconfig of the root and of the workspaces, the workspaces' first, but for the base they extend. */
function typeProjects() {
  const workspaces = ['apps', 'packages'].flatMap((kind) =>
    readdirSync(at(kind)).map((name) => join(kind, name)),
  )
  return [...workspaces, ''].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => /^tsconfig(\.\w+)?\.json$/.test(name) && name !== 'tsconfig.base.json')
      .map((name) => join(folder, name)),
  )
}

/** Returns whether a project may hold a file. The root's holds what is in no workspace. @param {string} project @param {string} file */
function isOf(project, file) {
  const folder = /^(.*\/)?/.exec(project)?.[0] ?? ''
  return folder === '' ? !/^(apps|packages)\//.test(file) : file.startsWith(folder)
}
