import { parseArgs } from 'node:util'
import { hasChromium, launchChromium } from '../../support/chromium.ts'
import { walkLists } from './walk-lists.ts'

/**
 * Prints what long lists cost the console's main thread, as a processor that is slower by `--slowdown` would need it, and the memory of a
 * tab over many visits. Ends with 1 for a task that is longer than a person notices, or memory that grows.
 */
const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '20000' },
    channels: { type: 'string', default: '1000' },
    visits: { type: 'string', default: '50' },
    slowdown: { type: 'string', default: '4' },
  },
})
const maxTaskMs = 100
/** Growth of the heap from the first sample to the last that is no leak. */
const maxGrowth = 1.1
const slowdown = Number(values.slowdown)

if (!hasChromium()) {
  console.error('vitals needs Chromium; name it in TOLLGATE_TEST_CHROMIUM')
  process.exit(2)
}
const row = (...cells: readonly string[]) => cells.map((cell) => cell.padEnd(16)).join('')
console.log(`${values.rows} rows, processor time of the main thread × ${slowdown}`)
console.log(row('page', 'act', 'longest task', 'sum'))
const browser = await launchChromium({ isMeasured: true })
const { costs, heap } = await walkLists(
  browser,
  { rows: Number(values.rows), channels: Number(values.channels) },
  {
    visits: Number(values.visits),
    onCost: ({ path, act, maxTaskMs: max, sumMs }) =>
      console.log(row(path, act, `${Math.round(max * slowdown)} ms`, `${Math.round(sumMs * slowdown)} ms`)),
    onSample: ({ visits, heapMegabytes, nodes, listeners }) =>
      console.log(
        `${visits} visits: ${heapMegabytes.toFixed(2)} MB of objects, ${nodes} nodes, ${listeners} listeners`,
      ),
  },
)
await browser.close()

const long = costs.filter((cost) => cost.maxTaskMs * slowdown > maxTaskMs)
for (const { path, act } of long) console.log(`${path}: ${act} holds the page for more than ${maxTaskMs} ms`)
const [first, last] = [heap[0], heap.at(-1)]
const grows = first && last && last.heapMegabytes > first.heapMegabytes * maxGrowth
if (grows) console.log('memory grows with every visit')
process.exit(long.length === 0 && !grows ? 0 : 1)
