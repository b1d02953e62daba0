import { sourcesOf } from './figures.ts'
import type { Survey } from './survey.ts'

/** Names the files behind the counts, one section a measure. */
export function listsOf(part: Survey): string {
  const sources = sourcesOf(part)
  const functions = sources
    .flatMap(({ path, functions: own }) =>
      own.map(({ name, lines }) => ({ lines, text: `${lines} ${path} ${name}` })),
    )
    .toSorted((one, other) => other.lines - one.lines)
  const named = <File extends { readonly path: string }>(
    files: readonly File[],
    of: (file: File) => readonly string[],
  ) => files.flatMap((file) => of(file).map((each) => `${file.path} ${each}`))
  const sections: Readonly<Record<string, readonly string[]>> = {
    'folders with more than 25 entries': part.folders
      .filter(({ entries }) => entries > 25)
      .toSorted((one, other) => other.entries - one.entries)
      .map(({ folder, entries }) => `${entries} ${folder}`),
    'longest functions': functions.slice(0, 25).map(({ text }) => text),
    'exports without a docstring': named(sources, ({ exports }) =>
      exports.filter(({ isDocumented }) => !isDocumented).map(({ name }) => name),
    ),
    'edits written beside rows of vendors': named(sources, ({ edits }) => edits),
    'regular expressions on model names': named(sources, ({ expressions }) => expressions),
    'small files with a single importer': sources.flatMap(({ path, lines, soleImporter }) =>
      soleImporter === undefined ? [] : [`${lines} ${path} ← ${soleImporter}`],
    ),
    'docstrings that begin with neither a verb nor a noun': named(part.files, ({ openings }) => openings),
    'names with a refused word': named(part.files, ({ refusedNames }) => refusedNames),
    '@param that names no parameter': named(part.files, ({ parameters }) => parameters),
  }
  return Object.entries(sections)
    .map(([name, lines]) => [`\n${name}: ${lines.length}`, ...lines].join('\n  '))
    .join('\n')
}
