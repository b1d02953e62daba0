import { afterAll, expect, it, setDefaultTimeout } from 'bun:test'
import { existsSync, writeFileSync } from 'node:fs'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { hasChromium, launchChromium } from '../../support/chromium.ts'
import { hasNginx, startNginx } from '../../support/network/nginx.ts'
import { hasPostgres, startPostgres } from '../../support/postgres.ts'
import { startRedis } from '../../support/redis.ts'
import { startTollgate } from '../../support/server.ts'
import { startMailServer } from '../../support/services/mail-server.ts'
import { hasPrometheus, startPrometheus } from '../../support/services/prometheus.ts'
import { until } from '../../support/until.ts'

setDefaultTimeout(deadline(90_000))

const stops: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const stop of stops.reverse()) await stop()
})

async function startEverything(): Promise<void> {
  const postgres = hasPostgres() ? await startPostgres() : undefined
  if (postgres !== undefined) stops.push(postgres.stop)
  const env = postgres && { DATABASE_URL: await postgres.createDatabase() }
  const gateway = await startTollgate(env && { env })
  stops.push(gateway.stop)
  const mail = await startMailServer()
  const redis = await startRedis()
  stops.push(mail.stop, redis.stop)
  if (hasNginx()) stops.push((await startNginx([gateway, gateway, gateway])).stop)
  if (hasPrometheus()) stops.push((await startPrometheus(new URL(gateway.url).host)).stop)
  if (!hasChromium()) return
  const browser = await launchChromium()
  stops.push(() => browser.close())
  const page = await browser.newPage()
  await page.goto(gateway.url)
  expect(await page.title()).not.toBe('')
}

it('every server that suites use runs beside the others', async () => {
  await startEverything()
  // `operation/interrupted` ends the run here, at the latest.
  const ready = process.env['TOLLGATE_EVERY_SERVER']
  if (ready === undefined) return
  writeFileSync(ready, '')
  await until(() => (existsSync(ready) ? undefined : true), 60_000)
})
