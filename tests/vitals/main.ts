import { parseArgs } from 'node:util'
import { hasChromium, launchChromium } from '../support/chromium.ts'
import { measureVitals } from './measure.ts'
import { maxLayoutShift } from './pages.ts'

/**
 * Prints how fast and how steady pages are on a slow machine: medians of several visits of the built console. Ends with 1 when a
 * layout shifts more than it may. Arguments are paths, all pages without one; `--shifts` names what moved; `--slowdown=1` is this
 * machine as it is.
 */
const { values, positionals } = parseArgs({
  options: {
    shifts: { type: 'boolean' },
    visits: { type: 'string', default: '5' },
    slowdown: { type: 'string', default: '4' },
  },
  allowPositionals: true,
})

const cpuSlowdown = Number(values.slowdown)

if (!hasChromium()) {
  console.error('vitals needs Chromium; name it in TOLLGATE_TEST_CHROMIUM')
  process.exit(2)
}
const browser = await launchChromium({ isMeasured: true })
const pages = await measureVitals(browser, {
  visits: Number(values.visits),
  cpuSlowdown,
  ...(positionals.length > 0 && { paths: positionals }),
})
await browser.close()

const row = (...cells: readonly string[]) =>
  cells.map((cell, index) => (index === 0 ? cell.padEnd(14) : cell.padStart(16))).join('')

console.log(`medians of ${values.visits} visits, CPU/${cpuSlowdown}`)
console.log(row('page', 'LCP', 'CLS', 'click to rows'))
for (const { path, largestPaintMs, layoutShift, clickToRowsMs, shifts } of pages) {
  const rows = clickToRowsMs === undefined ? '' : `${clickToRowsMs} ms`
  console.log(row(path, `${largestPaintMs} ms`, layoutShift.toFixed(3), rows))
  if (values.shifts)
    for (const { value, moved } of shifts)
      console.log(`    ${value.toFixed(4)}  ${moved.join('\n            ')}`)
}
const unsteady = pages.filter(({ layoutShift }) => layoutShift >= maxLayoutShift)
for (const { path, layoutShift } of unsteady)
  console.log(`${path} shifts by ${layoutShift.toFixed(3)}, less than ${maxLayoutShift} is allowed`)
process.exit(unsteady.length === 0 ? 0 : 1)
