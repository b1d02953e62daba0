import { expect, it } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Glob } from 'bun'

const source = join(import.meta.dir, '../..')

/** What a page takes the first of, and why nothing is lost by it. */
const complete: Readonly<Record<string, string>> = {
  'components/ui/first-of.tsx': 'draws the way to the others',
  'components/ui/relative-time.tsx': 'the day of a moment',
  'components/ui/select/multi-select.tsx': 'chips unfold by their own button',
  'components/list/time-filter.tsx': 'parts of a date',
  'components/charts/share-ring.tsx': 'a sum of what is in front',
  'components/prices/time-windows.tsx': 'days of a week in another order',
  'features/groups/group-prices.tsx': 'says how many more there are, above the link to all prices',
  'features/models/columns.tsx': 'columns that a cell covers',
  'features/personal/account-card.tsx': 'models unfold by their own button',
  'features/settings/sections/chat-links.tsx': 'links in another order',
}

it('no page draws the first of a list in silence: `FirstOf` leads to the others', async () => {
  const silent: string[] = []
  for await (const file of new Glob('{features,components}/**/*.tsx').scan(source)) {
    if (file.includes('.test.') || file in complete) continue
    if (/\.slice\(0,/.test(readFileSync(join(source, file), 'utf8'))) silent.push(file)
  }
  expect(silent).toEqual([])
  // A file that takes nothing any more leaves the list.
  const idle = Object.keys(complete).filter(
    (file) => !readFileSync(join(source, file), 'utf8').includes('.slice('),
  )
  expect(idle).toEqual([])
})
