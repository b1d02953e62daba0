import { afterAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { runnable, runSmall } from '../../support/scripts/run-small.ts'
import { stopServers } from '../../support/scripts/table.ts'

setDefaultTimeout(deadline(300_000))

afterAll(stopServers)

describe('a bench on small data', () => {
  it.each(runnable.filter(([, { isLong }]) => isLong === true))('%s does its work', async (file, run) => {
    const { code, output } = await runSmall([file, run])
    expect([file, code, output]).toEqual([file, 0, expect.stringMatching(run.prints)])
  })
})
