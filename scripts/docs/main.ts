import { readFileSync, writeFileSync } from 'node:fs'
import { withAccessTable } from './access-table.ts'
import { providerPages } from './provider-pages.ts'

/** Writes the pages of docs/providers, and the table of ranks and parts in the operator's guide. */
const root = new URL('../../', import.meta.url)
for (const [path, text] of providerPages()) writeFileSync(new URL(path, root), text)

const guide = new URL('docs/operators-guide.md', root)
writeFileSync(guide, withAccessTable(readFileSync(guide, 'utf8')))
