import { afterAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { entryPoints, npmScripts } from '../../support/scripts/entry-points.ts'
import { runnable, runSmall } from '../../support/scripts/run-small.ts'
import { elsewhere, scripts, stopServers } from '../../support/scripts/table.ts'

setDefaultTimeout(deadline(60_000))

afterAll(stopServers)

describe('the table of scripts', () => {
  it('holds every script of bench and scripts, and no other', async () => {
    expect([...(await entryPoints())].sort()).toEqual(Object.keys(scripts).sort())
  })

  it('holds what package.json starts', () => {
    const missing = npmScripts().filter(
      ([, file]) => scripts[file] === undefined && elsewhere[file] === undefined,
    )
    expect(missing).toEqual([])
  })
})

describe('a script on small data', () => {
  it.concurrent.each(runnable.filter(([, { isLong }]) => isLong !== true))(
    '%s does its work',
    async (file, run) => {
      const { code, output } = await runSmall([file, run])
      expect([file, code, output]).toEqual([
        file,
        file === 'scripts/tool.mjs' ? 1 : 0,
        expect.stringMatching(run.prints),
      ])
    },
  )
})
