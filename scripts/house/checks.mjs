import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ensureConsole } from './console.mjs'
import { at, root } from './root.mjs'
import { bun } from './runtime.mjs'
import { ensureServer } from './server.mjs'
import { suiteStep, toolStep, workStep } from './steps.mjs'

/** Where unit tests live; whole-system tests in tests/e2e are not among them. */
const unitTests = ['./packages', './apps', './scripts', './tests/support']

/**
 * What `npm run check` holds the tree to, quickest first.
 * @param {NodeJS.ProcessEnv} env of the unit tests
 */
export function checkSteps(env) {
  const node = process.execPath
  return [
    toolStep('format and lint', node, [bin('@biomejs/biome', 'biome'), 'check', '--error-on-warnings', '.']),
    ...typeProjects().map((project) =>
      toolStep(`types of ${project}`, node, [bin('typescript', 'tsc'), '--noEmit', '-p', project]),
    ),
    toolStep('who may know whom', bun, [at('scripts', 'boundaries', 'main.ts')]),
    toolStep('nothing unused', bun, [bin('knip', 'knip-bun.js'), '--no-config-hints']),
    workStep('the server builds', 'bun run --cwd apps/server build', () => ensureServer(() => {})),
    workStep('the console builds', 'bun run --cwd apps/web build', () => ensureConsole(() => {})),
    suiteStep('unit tests', unitTests, { timeoutMs: 8 * 60_000, testTimeoutMs: 10_000, env }),
  ]
}

/** @param {string} name of the package @param {string} program */
function bin(name, program) {
  return at('node_modules', ...name.split('/'), 'bin', program)
}

/** Every tsconfig of the root and of the workspaces, but for the base they extend. */
function typeProjects() {
  const workspaces = ['packages', 'apps'].flatMap((kind) =>
    readdirSync(at(kind)).map((name) => join(kind, name)),
  )
  return ['', ...workspaces].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => /^tsconfig(\.\w+)?\.json$/.test(name) && name !== 'tsconfig.base.json')
      .map((name) => join(folder, name)),
  )
}
