import { parseArgs } from 'node:util'
import { $, Glob } from 'bun'
import { readWorkspaces, root } from '../boundaries/sources.ts'
import { barsOf, isMet } from './bars.ts'
import { figuresOf, sourcesOf } from './figures.ts'
import { earlierLimits, limitsPath, readLimits } from './history.ts'
import { findFaults, findRaises, fitLimits } from './limits.ts'
import { listsOf } from './lists.ts'
import { measuresOf } from './measures-of.ts'
import { pageOf, tableOf } from './page.ts'
import { fieldCostsByResource } from './places.ts'
import { partOf, survey } from './survey.ts'

/**
 * Prints the measures of the code base as a table.
 * `npm run stats [-- FOLDER…] [--list] [--check] [--write [--why "…"]]`: of folders alone; with the files behind the counts; failing for a
 * missed bound or limit; into docs/stats.md and the limits, which fall, and rise for the reason alone.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    list: { type: 'boolean' },
    check: { type: 'boolean' },
    write: { type: 'boolean' },
    why: { type: 'string' },
  },
})
const homes = ['apps', 'packages', 'scripts', 'tests', 'bench']
const pagePath = `${root}docs/stats.md`
const folders = positionals.map((folder) => folder.replace(/^\.\//, '').replace(/\/+$/, ''))
const texts = await trackedFiles()
const all = survey(texts, await readWorkspaces())
const part = partOf(all, folders)
const bars = barsOf(part, folders.length > 0)
console.log(tableOf(bars))
if (values.list) console.log(listsOf(part))
if (values.write) await write()
if (values.check) {
  const faults = await check()
  for (const fault of faults) console.log(fault)
  console.log(faults.length === 0 ? 'every limit is met' : `${faults.length} limits are missed`)
  process.exitCode = faults.length === 0 ? 0 : 1
}

async function write(): Promise<void> {
  const whole = barsOf(all, false)
  await Bun.write(pagePath, pageOf(whole, await Bun.file(pagePath).text()))
  const limits = fitLimits(await readLimits(), measured(), measuresOf, values.why)
  await Bun.write(root + limitsPath, `${JSON.stringify(limits, null, 2)}\n`)
}

/** Finds missed bounds, limits that figures exceed, limits that rose without a reason, and a page that is stale. */
async function check(): Promise<readonly string[]> {
  const limits = await readLimits()
  const page = await Bun.file(pagePath).text()
  const raises = [...(await earlierLimits())].flatMap(([commit, earlier]) =>
    findRaises(limits, earlier, measuresOf).map((raise) => `${raise} (than at ${commit})`),
  )
  const whole = barsOf(all, false)
  const isStale = page !== pageOf(whole, page)
  return [
    ...whole
      .filter((bar) => !isMet(bar))
      .map(({ name, value, max, min }) => `${name}: ${value} is beyond the bound of ${max ?? min}`),
    ...findFaults(limits, measured(), measuresOf),
    ...raises,
    ...(isStale ? ['docs/stats.md is stale: `npm run stats -- --write` writes it'] : []),
  ]
}

function measured() {
  const paths = new Set(sourcesOf(all).map(({ path }) => path))
  const isText = (path: string) => /^apps\/web\/src\/i18n\/.*\.json$/.test(path)
  const sources = [...texts].filter(([path]) => paths.has(path) || isText(path)).map(([, text]) => text)
  return { ...figuresOf(all), ...fieldCostsByResource(sources) }
}

/** Finds the files of a copy without a repository. */
function sourcesOnDisk(): readonly string[] {
  const found = new Glob(`{${homes.join(',')}}/**/*`).scanSync(root)
  return [...found].filter((path) => !/(^|\/)(node_modules|dist|\.vite)\//.test(path))
}

/** Reads files that git tracks or would track; a fixture's content is not read as source. */
async function trackedFiles(): Promise<ReadonlyMap<string, string>> {
  const listed = await $`git ls-files -co --exclude-standard ${homes}`.cwd(root).nothrow().quiet()
  const lines = listed.text().split('\n')
  const paths = listed.exitCode === 0 ? lines.filter((path) => path !== '') : sourcesOnDisk()
  const read = await Promise.all(paths.map(async (path) => [path, await readText(path)] as const))
  return new Map(read.flatMap(([path, text]) => (text === undefined ? [] : [[path, text] as const])))
}

/** Returns `undefined` for a file that is deleted but still tracked. */
async function readText(path: string): Promise<string | undefined> {
  const file = Bun.file(root + path)
  return (await file.exists()) ? await file.text() : undefined
}
