import { afterEach, expect, it } from 'bun:test'
import { Glob } from 'bun'
import { compareClocks, dateNow, secondsNow } from './server-clock.ts'

const day = 86_400_000
const respond = (aheadMs: number) =>
  compareClocks(new Response('', { headers: { date: new Date(Date.now() + aheadMs).toUTCString() } }))
const aheadMs = () => dateNow().getTime() - Date.now()

afterEach(() => respond(0))

it.each([day, -day])('takes a difference of %d ms from the responses of the server', (ahead) => {
  respond(ahead)
  expect(Math.abs(aheadMs() - ahead)).toBeLessThan(2000)
  expect(Math.abs(secondsNow() - dateNow().getTime() / 1000)).toBeLessThan(1)
})

it('leaves the clock of the device as it is for seconds, and for a response without a date', () => {
  respond(20_000)
  expect(Math.abs(aheadMs())).toBeLessThan(1000)
  respond(day)
  compareClocks(new Response(''))
  expect(aheadMs()).toBeGreaterThan(day - 2000)
})

/** Files in which the device alone judges: marks of its own storage, and the day of a greeting. */
const ownClock = [
  'components/frame/new-year-day.tsx',
  'components/frame/new-year.tsx',
  'features/playground/library/use-library.ts',
  'lib/server-clock.ts',
  'lib/session/reauthentication.ts',
]

it('is the clock of all pages', async () => {
  const found: string[] = []
  for await (const path of new Glob('**/*.{ts,tsx}').scan(`${import.meta.dir}/..`)) {
    if (/\.test\.|^test-support\//.test(path)) continue
    const text = await Bun.file(`${import.meta.dir}/../${path}`).text()
    if (/Date\.now\(\)|new Date\(\)/.test(text)) found.push(path)
  }
  expect(found.sort()).toEqual(ownClock)
})
