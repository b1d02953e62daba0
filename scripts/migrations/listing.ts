/** A file of the folder of migrations. */
export interface MigrationFile {
  /** Name without its extension: `0040-note`. */
  readonly name: string
  readonly source: string
}

/** Names of the files that the list lacks, by their numbers. */
export function unlisted(list: string, files: readonly MigrationFile[]): readonly MigrationFile[] {
  return files
    .filter(({ name }) => !list.includes(`/${name}.ts'`))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

/**
 * Adds what the list of `schema/migrate.ts` lacks: an import after the others, and a row at its end.
 * @throws Error for a file that exports no function
 */
export function withListed(list: string, files: readonly MigrationFile[]): string {
  return unlisted(list, files).reduce((text, file) => {
    const statements = /^export function (\w+)/m.exec(file.source)?.[1]
    if (statements === undefined) throw new Error(`${file.name}.ts exports no function of its statements`)
    return text
      .replace(
        /(import [^\n]*\/migrations\/[^\n]*\n)(?!import)/,
        `$1import { ${statements} } from './migrations/${file.name}.ts'\n`,
      )
      .replace(/(const schemas[\s\S]*?)\n}/, `$1\n  '${file.name}': ${statements},\n}`)
  }, list)
}
