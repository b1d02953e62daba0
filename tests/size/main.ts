import { hasChromium, launchChromium } from '../support/chromium.ts'
import { type MeasuredPage, measurePages } from './measure-pages.ts'

/** Prints what each page loads at first, and ends with 1 when one is above its budget. `--parts` names every file. */
const cpuSlowdown = 4

if (!hasChromium()) {
  console.error('size needs Chromium; name it in TOLLGATE_TEST_CHROMIUM')
  process.exit(2)
}
const browser = await launchChromium()
const pages = await measurePages(browser, { cpuSlowdown })
await browser.close()

const row = (...cells: readonly string[]) =>
  cells.map((cell, index) => (index === 0 ? cell.padEnd(14) : cell.padStart(12))).join('')
const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`

console.log(row('page', 'loaded', 'allowed', 'fonts, art', 'requests', `LCP (CPU/${cpuSlowdown})`))
for (const { budget, load, largestPaintMs } of pages) {
  const { bytes, fontAndImageBytes, requests } = load
  const sizes = [bytes, budget.bytes, fontAndImageBytes].map(kilobytes)
  console.log(row(budget.path, ...sizes, String(requests), `${largestPaintMs} ms`))
  if (process.argv.includes('--parts')) printParts(load)
}
const broken = pages.flatMap((page) => page.broken)
for (const sentence of broken) console.log(sentence)
process.exit(broken.length === 0 ? 0 : 1)

function printParts({ parts }: MeasuredPage['load']): void {
  for (const { url, bytes } of parts) console.log(`${kilobytes(bytes).padStart(26)}  ${url}`)
}
