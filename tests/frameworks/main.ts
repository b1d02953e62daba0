import {
  type CallerDialect,
  type Case,
  checks,
  modelOf,
  type UpstreamDialect,
  upstreamDialects,
} from './cases.ts'
import { type Framework, frameworks } from './frameworks.ts'
import { type House, startHouse } from './gateway.ts'
import { install } from './install.ts'
import { judge, judgeUsage, type Verdict } from './judge.ts'
import { type DriverRun, runDriver } from './run-driver.ts'
import { kinds } from './upstreams.ts'

/**
 * Runs the frameworks against gateways over upstreams of three dialects, and prints what became of every check. Ends with 1
 * when one failed. Arguments choose upstreams by their names, and frameworks by a part of theirs.
 */
const words = process.argv.slice(2).map((word) => word.toLowerCase())
const isUpstream = (word: string) => upstreamDialects.some((name) => name === word)
const chosen = upstreamDialects.filter((name) => words.includes(name))
const parts = words.filter((word) => !isUpstream(word))
const wanted = frameworks.filter(
  ({ name }) => parts.length === 0 || parts.some((part) => name.toLowerCase().includes(part)),
)

interface Row {
  readonly framework: string
  readonly dialect: CallerDialect
  readonly upstream: UpstreamDialect
  readonly verdicts: ReadonlyMap<string, Verdict>
}

const rows: Row[] = []
const skipped: string[] = []
const houses: House[] = []
try {
  for (const name of chosen.length === 0 ? upstreamDialects : chosen) houses.push(await startHouse(name))
  for (const framework of wanted) await runFramework(framework)
} finally {
  for (const house of houses) await house.stop()
}
process.exit(report() ? 0 : 1)

async function runFramework(framework: Framework): Promise<void> {
  console.log(`${framework.name} …`)
  const installed = await install(framework)
  if ('problem' in installed) {
    skipped.push(`${framework.name} is not installed: ${installed.problem}`)
    return
  }
  const began = performance.now()
  const run = await runDriver(
    installed.command,
    houses.flatMap((house) => casesOf(framework, house)),
  )
  if (run.outcomes.size === 0) console.log(`  the driver wrote nothing, and ${run.output}`)
  for (const house of houses) await judgeAll(framework, house, run)
  console.log(`  ${((performance.now() - began) / 1000).toFixed(0)} s`)
}

function casesOf({ dialects }: Framework, house: House): readonly Case[] {
  return dialects.flatMap((dialect) =>
    checks
      .filter((check) => modelOf(dialect, check) !== '')
      .filter((check) => check !== 'embeddings' || kinds[house.upstream].embeddings)
      .map((check) => ({
        id: `${dialect} ${house.upstream} ${check}`,
        dialect,
        upstream: house.upstream,
        check,
        model: modelOf(dialect, check),
        url: house.url,
        key: house.keyOf(dialect, check),
      })),
  )
}

async function judgeAll(framework: Framework, house: House, { outcomes }: DriverRun): Promise<void> {
  const charges = await house.charges()
  const cases = casesOf(framework, house)
  for (const dialect of framework.dialects) {
    const verdicts = new Map<string, Verdict>()
    for (const each of cases.filter((one) => one.dialect === dialect)) {
      const outcome = outcomes.get(each.id)
      verdicts.set(each.check, judge(each, outcome))
      verdicts.set(`${each.check} usage`, judgeUsage(outcome, charges.get(`${dialect} ${each.check}`)))
    }
    rows.push({ framework: framework.name, dialect, upstream: house.upstream, verdicts })
  }
}

function report(): boolean {
  console.log(
    `\n${'framework, its dialect → upstream'.padEnd(40)} ${checks.map((check) => check.padEnd(10)).join(' ')}`,
  )
  for (const row of rows) console.log(lineOf(row))
  console.log(
    'ok+u: the usage that the framework reports is what was charged · n.a.: the framework has it not',
  )
  for (const row of rows)
    for (const [check, verdict] of row.verdicts)
      if (verdict?.ok === false) console.log(`\n${titleOf(row)}: ${check}: ${verdict.why}`)
  for (const line of skipped) console.log(`\n${line}`)
  const verdicts = rows.flatMap((row) =>
    [...row.verdicts.values()].filter((verdict) => verdict !== undefined),
  )
  const failed = verdicts.filter(({ ok }) => !ok).length
  console.log(
    `\n${verdicts.length - failed} passed, ${failed} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}`,
  )
  return failed === 0 && skipped.length === 0 && verdicts.length > 0
}

function titleOf({ framework, dialect, upstream }: Row): string {
  return `${framework}, ${dialect} → ${upstream}`
}

function lineOf(row: Row): string {
  const cells = checks.map((check) =>
    cellOf(row.verdicts.get(check), row.verdicts.get(`${check} usage`)).padEnd(10),
  )
  return `${titleOf(row).padEnd(40)} ${cells.join(' ')}`
}

function cellOf(verdict: Verdict, usage: Verdict): string {
  if (verdict === undefined) return 'n.a.'
  if (!verdict.ok) return 'FAILED'
  if (usage === undefined) return 'ok'
  return usage.ok ? 'ok+u' : 'USAGE'
}
