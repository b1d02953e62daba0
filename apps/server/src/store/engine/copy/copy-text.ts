import type { Row, Value } from '../../program.ts'

/*
 * The text form of PostgreSQL's COPY: a line for each row, tabs between the values.
 * https://www.postgresql.org/docs/current/sql-copy.html#id-1.9.3.55.9.2
 */

const special = /[\0\\\t\n\r]/
const everySpecial = /[\0\\\t\n\r]/g

/** PostgreSQL has no NUL in texts: what stands for it is what the store writes in its place. */
const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
  '\0': '\ufffd',
}

/** Rows as lines of COPY, with the values in the order of `columns`. */
export function encodeCopyRows(rows: readonly Row[], columns: readonly string[]): Buffer {
  let text = ''
  for (const row of rows) {
    let separator = ''
    for (const column of columns) {
      text += separator + encodeValue(row[column] ?? null)
      separator = '\t'
    }
    text += '\n'
  }
  return Buffer.from(text)
}

function encodeValue(value: Value): string {
  if (value === null) return '\\N'
  if (typeof value === 'string') return special.test(value) ? escaped(value) : value
  if (typeof value === 'number') return String(value)
  return `\\\\x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}`
}

function escaped(text: string): string {
  return text.replace(everySpecial, (character) => escapes[character] ?? character)
}
