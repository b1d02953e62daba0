import { join } from 'node:path'
import { firstLoadLimit, measureFirstLoad } from './first-load.ts'

const load = await measureFirstLoad(join(import.meta.dir, '../dist'))
if (!load) {
  console.error('No build in apps/web/dist: run "vite build" first')
  process.exit(1)
}
const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`
for (const { file, gzipped } of load.files) console.log(`${kilobytes(gzipped).padStart(9)}  ${file}`)
console.log(
  `${kilobytes(load.total).padStart(9)}  first load, gzipped script (limit ${kilobytes(firstLoadLimit)})`,
)
process.exit(load.total <= firstLoadLimit ? 0 : 1)
