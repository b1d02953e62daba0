import { parseArgs } from 'node:util'
import { $, Glob } from 'bun'
import { readWorkspaces, root } from '../boundaries/sources.ts'
import { type Bar, barsOf, isMet } from './bars.ts'
import { type Measures, measure } from './measure.ts'

/**
 * Prints the measures of the code base as a table.
 * `npm run stats [-- FOLDER…] [--list] [--check] [--write]`: of folders alone; with the files behind the counts; failing when
 * a limit is missed; into docs/stats.md.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { list: { type: 'boolean' }, check: { type: 'boolean' }, write: { type: 'boolean' } },
})
const homes = ['apps', 'packages', 'scripts', 'tests', 'bench']
const folders = positionals.map((folder) => folder.replace(/^\.\//, '').replace(/\/+$/, ''))
const measures = measure(await trackedFiles(), await readWorkspaces(), folders)
const bars = barsOf(measures, folders.length > 0)
console.log(table(bars))
if (values.list) console.log(lists(measures))
if (values.write) await Bun.write(`${root}docs/stats.md`, page(bars))
const missed = bars.filter((bar) => !isMet(bar))
if (values.check)
  console.log(missed.length === 0 ? 'every limit is met' : `${missed.length} limits are missed`)
process.exitCode = values.check && missed.length > 0 ? 1 : 0

/** The same of a copy without a repository. */
function sourcesOnDisk(): string[] {
  const found = new Glob(`{${homes.join(',')}}/**/*`).scanSync(root)
  return [...found].filter((path) => !/(^|\/)(node_modules|dist|\.vite)\//.test(path))
}

/** Files that git tracks or would track; a fixture's content is not read as source. */
async function trackedFiles(): Promise<ReadonlyMap<string, string>> {
  const listed = await $`git ls-files -co --exclude-standard ${homes}`.cwd(root).nothrow().quiet()
  const paths =
    listed.exitCode === 0
      ? listed
          .text()
          .split('\n')
          .filter((path) => path !== '')
      : sourcesOnDisk()
  const texts = await Promise.all(paths.map(readText))
  return new Map(
    paths.flatMap((path, place) => {
      const text = texts[place]
      return text === undefined ? [] : [[path, text] as const]
    }),
  )
}

/** `undefined` for a file that is deleted but still tracked. */
async function readText(path: string): Promise<string | undefined> {
  const file = Bun.file(root + path)
  return (await file.exists()) ? await file.text() : undefined
}

/** The page of the documentation. */
function page(all: readonly Bar[]): string {
  return `# Size of the code base

\`npm run stats -- --write\` writes this page. Test suites, test-support, contract suites and fixtures are no source, and neither is the bench.
A named function is a declaration, a method, or a function that a variable or property holds. \`-- --list\` names the files behind the
counts, \`-- --check\` fails over a limit, \`-- apps/web/src/lib\` measures a folder.

${table(all)}
`
}

/** A Markdown table. */
function table(all: readonly Bar[]): string {
  const rows = all.map((bar) => {
    const limit = bar.atMost ?? bar.atLeast
    const bound =
      limit === undefined ? '' : `${bar.atMost === undefined ? '≥' : '≤'} ${limit.toLocaleString('en')}`
    const mark = limit === undefined ? '' : isMet(bar) ? 'met' : 'missed'
    return `| ${bar.name.padEnd(41)} | ${(bar.value.toLocaleString('en') + (bar.unit ?? '')).padStart(8)} | ${bound.padEnd(9)} | ${mark.padEnd(6)} |`
  })
  const head = `| ${'measure'.padEnd(41)} | ${'value'.padStart(8)} | ${'limit'.padEnd(9)} | ${''.padEnd(6)} |`
  return [head, `|${'-'.repeat(43)}|${'-'.repeat(9)}:|${'-'.repeat(11)}|${'-'.repeat(8)}|`, ...rows].join(
    '\n',
  )
}

function lists({ wideFolders, functions, exports, soleImports, vendorFacts }: Measures): string {
  const sections: readonly (readonly [string, readonly string[]])[] = [
    ['folders with more than 25 entries', wideFolders.map(({ folder, entries }) => `${entries} ${folder}`)],
    [
      'longest functions',
      functions
        .slice(-25)
        .toReversed()
        .map(({ place, lines }) => `${lines} ${place}`),
    ],
    ['exports of packages without a docstring', exports.undocumented],
    ['edits written beside rows of vendors', vendorFacts.edits],
    ['regular expressions on model names', vendorFacts.expressions],
    [
      'small files with a single importer',
      soleImports.map(({ path, importer, lines }) => `${lines} ${path} ← ${importer}`),
    ],
  ]
  return sections.map(([name, lines]) => [`\n${name}: ${lines.length}`, ...lines].join('\n  ')).join('\n')
}
