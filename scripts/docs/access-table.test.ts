import { expect, it } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { withAccessTable } from './access-table.ts'

const guide = readFileSync(join(import.meta.dir, '../../docs/operators-guide.md'), 'utf8')

it('finds the table of ranks and parts as the authorisation table has it: run `npm run docs:providers` else', () => {
  expect(withAccessTable(guide)).toBe(guide)
})
