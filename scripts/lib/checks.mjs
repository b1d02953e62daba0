import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ensureConsole } from './console.mjs'
import { ensureExecutable } from './executable.mjs'
import { at, root } from './root.mjs'
import { bun } from './runtime.mjs'
import { ensureServer } from './server.mjs'
import { toolStep, workStep } from './steps.mjs'
import { unitTestSteps } from './unit-tests.mjs'

/** @typedef {import('./steps.mjs').Step} Step */

/**
 * The steps of `npm run check`: first the builds, which others wait for, then the longest.
 * @param {NodeJS.ProcessEnv} env of the unit tests
 * @param {readonly Step[]} [builds]
 */
export function checkSteps(env, builds = buildSteps()) {
  const { shared, measuring } = unitTestSteps(env)
  return [
    ...builds,
    ...shared,
    ...typeProjects().map(typesStep),
    lintStep(['.']),
    unusedStep(),
    boundariesStep(),
    measuresStep(),
    migrationsStep(),
    ...measuring,
  ]
}

/** The builds of server and console: each passes at once when its sources have not changed. */
function buildSteps(console = consoleBuild()) {
  return [
    workStep('the console builds', 'bun run --cwd apps/web build', console),
    workStep('the server builds', 'bun run --cwd apps/server build', () => ensureServer(() => {})),
  ]
}

/** The builds that whole-system suites run. The executable carries the console, and waits for its build. */
export function suiteBuildSteps() {
  const console = consoleBuild()
  const executable = () => console().then(() => ensureExecutable(() => {}))
  return [...buildSteps(console), workStep('the executable builds', 'npm run build:binary', executable)]
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
 * The same for what changed and what imports it, without builds.
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
    unusedStep(),
    boundariesStep(),
    measuresStep(),
    migrationsStep(),
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
