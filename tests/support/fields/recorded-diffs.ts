import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Change of a recorded diff to one file. */
export interface FileChange {
  readonly file: string
  readonly isNew: boolean
  /** Runs of lines that it adds, each after the lines that the diff shows before it. */
  readonly added: readonly { readonly after: string; readonly lines: readonly string[] }[]
}

/** The diffs of a section of a Markdown text, one for each of its blocks. */
export function diffsIn(markdown: string, heading: string): readonly (readonly FileChange[])[] {
  const [, section = ''] = markdown.split(`\n## ${heading}\n`)
  const [own = ''] = section.split('\n## ')
  return [...own.matchAll(/```diff\n([\s\S]*?)```/g)].map(([, diff = '']) => changesIn(diff))
}

function changesIn(diff: string): readonly FileChange[] {
  const files = diff.split(/^--- /m).filter((text) => text !== '')
  return files.map((text) => {
    const [from = '', to = '', ...lines] = text.split('\n')
    return { file: to.replace('+++ b/', ''), isNew: from === '/dev/null', added: runsIn(lines) }
  })
}

function runsIn(lines: readonly string[]): FileChange['added'] {
  const runs: { after: string; lines: string[] }[] = []
  for (const line of lines.filter((each) => each !== '')) {
    const [last, text] = [runs.at(-1), line.slice(1)]
    if (line.startsWith('+') && last !== undefined) last.lines.push(text)
    else if (line.startsWith('+')) runs.push({ after: '', lines: [text] })
    else if (last?.lines.length === 0) last.after += `\n${text}`
    else runs.push({ after: text, lines: [] })
  }
  return runs.filter((run) => run.lines.length > 0)
}

/**
 * Applies a diff to the sources in a folder.
 * @throws Error where a line that it shows is not there exactly once: the diff is stale
 */
export function applyDiff(folder: string, changes: readonly FileChange[]): void {
  for (const change of changes) {
    const file = join(folder, change.file)
    const before = change.isNew ? '' : readFileSync(file, 'utf8')
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(
      file,
      change.added.reduce((text, run) => withRun(text, run, change), before),
    )
  }
}

function withRun(
  text: string,
  { after, lines }: FileChange['added'][number],
  { file, isNew }: FileChange,
): string {
  const run = `${lines.join('\n')}\n`
  if (isNew) return text + run
  const parts = text.split(`${after}\n`)
  if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} times: ${after}`)
  return parts.join(`${after}\n${run}`)
}

/** Counts the places of a diff: runs of added lines, of which a new file is one. */
export function positionsIn(changes: readonly FileChange[]): number {
  return changes.reduce((count, { isNew, added }) => count + (isNew ? 1 : added.length), 0)
}
