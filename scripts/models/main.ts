import { readFileSync, writeFileSync } from 'node:fs'
import type { ModelTable } from '../../packages/api/src/models/model-table.ts'
import { readPriceFile } from './price-file.ts'
import { formatTable, refreshTable } from './refresh-table.ts'

/** Refreshes the table of models from the file named as argument, and says what changed. */
const [file] = process.argv.slice(2)
if (file === undefined) {
  console.error(
    'usage: npm run models -- <file>: a map of costs per token by model, or the answer of /api/v1/models of OpenRouter',
  )
  process.exit(2)
}
const position = new URL('../../packages/api/src/models/models.json', import.meta.url)
const table = JSON.parse(readFileSync(position, 'utf8')) as ModelTable
const figures = readPriceFile(JSON.parse(readFileSync(file, 'utf8')))
const { table: next, changes } = refreshTable(table, figures, new Date().toISOString().slice(0, 10))
writeFileSync(position, formatTable(next))
for (const change of changes) console.log(change)
console.log(`${changes.length} models changed`)
