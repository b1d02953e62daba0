import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkSteps } from './lib/checks.mjs'
import { runCommand } from './lib/command-error.mjs'
import { installTools } from './lib/install-tools.mjs'
import { prepare } from './lib/prepare.mjs'
import { at } from './lib/root.mjs'
import { runSteps } from './lib/run-steps.mjs'
import { suiteStep } from './lib/steps.mjs'
import { suiteEnvironment } from './lib/suite-environment.mjs'
import { tools } from './lib/tools.mjs'

/** Name of every test file that replays recordings. */
const replaysRecordings = 'recordings.test.ts'
/** Suites that mostly wait for a browser or for calls in turn, and measure nothing: they share the cores. */
const sharesCores = /^(pages-|console-|accessibility|second-factor|walk)/
const isCi = process.env.CI === 'true' || process.env.CI === '1'

await runCommand(async () => {
  await prepare()
  const missing = await installTools(['postgres', 'chromium', 'openssl'], (doing) =>
    console.log(`tollgate: ${doing} …`),
  )
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-run-'))
  // What the pages of all suites call is gathered here, and looked at when the last one is through.
  const env = { ...suiteEnvironment(), TOLLGATE_SENT_CALLS: join(folder, 'sent-calls.txt') }
  const { passed, failed, skipped } = await runSteps([...checkSteps(env), ...systemSteps(env)], {
    show: 'all',
  })
  rmSync(folder, { recursive: true, force: true })

  const notRun = [
    ...missing.map(
      (key) => `${tools[key].suites}: no ${tools[key].name} here (Debian: ${tools[key].debian})`,
    ),
    ...skipped.filter((name) => hasRecordings() || !name.includes(replaysRecordings)),
  ]
  for (const name of notRun) console.log(`not run: ${name}`)
  if (!hasRecordings()) console.log('not run: recorded provider traffic: TOLLGATE_RECORDINGS names no folder')

  const failures = failed + (isCi ? notRun.length : 0)
  console.log(`${passed} passed, ${failures} failed`)
  return failures === 0 ? 0 : 1
})

/** Recordings are not ours to publish: where they are absent, replaying them is named as not run and no failure. */
function hasRecordings() {
  return existsSync(process.env.TOLLGATE_RECORDINGS ?? '')
}

/**
 * Whole-system suites, each in a process of its own; those that measure time or memory run one after the other.
 * @param {NodeJS.ProcessEnv} env
 */
function systemSteps(env) {
  const limits = { timeoutMs: 4 * 60_000, testTimeoutMs: 90_000, env }
  const suites = readdirSync(at('tests', 'e2e'))
    .filter((name) => name.endsWith('.test.ts'))
    .sort()
    .map((name) =>
      suiteStep(name.replace('.test.ts', ''), [`./tests/e2e/${name}`], {
        ...limits,
        alone: !sharesCores.test(name),
      }),
    )
  return [...suites, suiteStep('coverage', ['./tests/coverage'], { ...limits, alone: true })]
}
