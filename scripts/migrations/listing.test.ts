import { describe, expect, it } from 'bun:test'
import { unlisted, withListed } from './listing.ts'

const list = `import { sql } from 'kysely'
import { first } from './migrations/0001-first.ts'
import { second } from './migrations/0002-second.ts'

const schemas: Statements = {
  '0001-first': first,
  '0002-second': second,
}

const others = {
}
`
const fileOf = (name: string, source: string) => ({ name, source })
const note = fileOf('0004-note', 'import type { Dialect } from "x"\n\nexport function note(): string[] {}\n')
const listed = fileOf('0002-second', 'export function second() {}')

describe('the list of migrations', () => {
  it('gets an import and a row for each file that it lacks, by their numbers', () => {
    const third = fileOf('0003-third', 'export function third() {}\n')
    expect(withListed(list, [note, listed, third])).toBe(`import { sql } from 'kysely'
import { first } from './migrations/0001-first.ts'
import { second } from './migrations/0002-second.ts'
import { third } from './migrations/0003-third.ts'
import { note } from './migrations/0004-note.ts'

const schemas: Statements = {
  '0001-first': first,
  '0002-second': second,
  '0003-third': third,
  '0004-note': note,
}

const others = {
}
`)
  })

  it('stays as it is when it has every file', () => {
    expect(withListed(list, [listed])).toBe(list)
    expect(unlisted(list, [note, listed])).toEqual([note])
  })

  it('refuses a file without statements', () => {
    expect(() => withListed(list, [fileOf('0005-empty', 'export const x = 1')])).toThrow('0005-empty.ts')
  })
})
